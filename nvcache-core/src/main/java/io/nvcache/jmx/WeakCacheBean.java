// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import java.lang.ref.WeakReference;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.StandardEmitterMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tie between a cache and its bean. The server holds the bean and the bean holds the cache
 * weakly, so that a forgotten registration keeps no cache alive; the bean unregisters itself when
 * it finds out that the cache was dropped.
 */
abstract class WeakCacheBean extends StandardEmitterMBean {
  private static final Logger LOG = LoggerFactory.getLogger(WeakCacheBean.class);

  private final WeakReference<BlockCache> cache;
  private final MBeanServer server;
  private final ObjectName objectName;
  private volatile boolean registered;

  WeakCacheBean(Class<?> type, BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(type, true, new NotificationBroadcasterSupport());
    this.cache = new WeakReference<>(cache);
    this.server = server;
    this.objectName = objectName;
  }

  final ObjectName objectName() {
    return objectName;
  }

  final BlockCache cache() {
    BlockCache present = cache.get();
    if (present == null) {
      unregister();
      throw new IllegalStateException("the cache of " + objectName + " was dropped unclosed");
    }
    return present;
  }

  /** Returns the cache, or null if it was dropped. */
  final @Nullable BlockCache present() {
    return cache.get();
  }

  @Override
  public void postRegister(@Nullable Boolean registrationDone) {
    super.postRegister(registrationDone);
    registered = Boolean.TRUE.equals(registrationDone);
  }

  @Override
  public void postDeregister() {
    registered = false; // whatever has the name from now on isn't ours
    super.postDeregister();
  }

  /** Gives the name back, unless that has happened already. */
  final void unregister() {
    if (!registered) {
      return;
    }
    try {
      server.unregisterMBean(objectName);
    } catch (InstanceNotFoundException e) {
      LOG.debug("{} was unregistered already", objectName);
    } catch (MBeanRegistrationException e) {
      throw new IllegalStateException("can't unregister " + objectName, e);
    }
  }
}
