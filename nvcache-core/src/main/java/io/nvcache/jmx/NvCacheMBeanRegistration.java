// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Shows a cache on an MBean server, as {@code io.nvcache:type=BlockCache,name=…} or under the name
 * of a {@linkplain MBeanDomain host}, for as long as this object is open. The cache is held weakly:
 * one that is dropped without closing its registration can still be collected, and its bean goes
 * away when a console or a new cache of that name touches it.
 */
public final class NvCacheMBeanRegistration implements AutoCloseable {
  private final NvCacheBean bean;

  private NvCacheMBeanRegistration(NvCacheBean bean) {
    this.bean = bean;
  }

  /**
   * Registers on the platform's server.
   *
   * @throws IllegalStateException if another cache has that name
   */
  public static NvCacheMBeanRegistration register(BlockCache cache, String name) {
    return register(cache, name, ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers on a given server.
   *
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if another cache has that name
   */
  public static NvCacheMBeanRegistration register(
      BlockCache cache, String name, MBeanServer server) {
    return register(cache, MBeanDomain.STANDALONE.objectName(name), server);
  }

  /**
   * Registers on the platform's server under the name that the users of a host expect.
   *
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if another cache has that name
   */
  public static NvCacheMBeanRegistration register(
      BlockCache cache, MBeanDomain domain, String name) {
    return register(cache, domain.objectName(name), ManagementFactory.getPlatformMBeanServer());
  }

  /**
   * Registers under any name.
   *
   * @throws IllegalStateException if another bean has that name
   */
  public static NvCacheMBeanRegistration register(
      BlockCache cache, ObjectName objectName, MBeanServer server) {
    NvCacheBean bean = new NvCacheBean(cache, server, objectName);
    try {
      if (server.isRegistered(objectName)) {
        unregisterIfDropped(server, objectName);
      }
      server.registerMBean(bean, objectName);
    } catch (InstanceAlreadyExistsException e) {
      throw taken(objectName, e);
    } catch (JMException e) {
      throw new IllegalStateException("can't register " + objectName, e);
    }
    return new NvCacheMBeanRegistration(bean);
  }

  /**
   * Looks on the platform's server whether a name can be registered now.
   *
   * @throws IllegalStateException if another cache has it
   */
  public static void requireFree(String name) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName objectName = MBeanDomain.STANDALONE.objectName(name);
    if (server.isRegistered(objectName)) {
      unregisterIfDropped(server, objectName);
    }
    if (server.isRegistered(objectName)) {
      throw taken(objectName, null);
    }
  }

  private static IllegalStateException taken(ObjectName objectName, @Nullable Exception cause) {
    return new IllegalStateException(
        "a cache is registered as " + objectName + "; close its registration or take another name",
        cause);
  }

  /** The bean of a dropped cache unregisters itself when it is asked for anything. */
  private static void unregisterIfDropped(MBeanServer server, ObjectName objectName) {
    try {
      server.getAttribute(objectName, "Blocks");
    } catch (JMException | RuntimeException e) {
      // Either the bean is gone now, or the registration to come says that the name is taken.
    }
  }

  /** Returns the name of the bean. */
  public ObjectName objectName() {
    return bean.objectName();
  }

  /** Takes the bean off the server. Closing again does nothing. */
  @Override
  public void close() {
    bean.unregister();
  }
}
