// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.control.CacheEvent;
import io.nvcache.control.CacheListener;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.SettingListener;
import io.nvcache.control.TuningReport;
import io.nvcache.stats.Reading;
import io.nvcache.stats.RecentStats;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.InstanceNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanRegistration;
import javax.management.MBeanRegistrationException;
import javax.management.MBeanServer;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management bean of one cache: the rows of {@link AttributeTable} and {@link Operation}, such
 * that a typed proxy of {@link NvCacheMXBean} finds what it asks for.
 *
 * <p>The server holds the bean and the bean holds the cache weakly, so that a forgotten
 * registration keeps no cache alive; the bean unregisters itself when it finds out that the cache
 * was dropped. Changes are heard of from the settings themselves, so that those which the host
 * makes are in the {@linkplain AuditTrail audit trail} as well.
 */
final class NvCacheBean extends NotificationBroadcasterSupport
    implements DynamicMBean, MBeanRegistration {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheBean.class);
  private static final Duration SNAPSHOT_AGE = Duration.ofMillis(100);

  private static final MBeanInfo INFO =
      new MBeanInfo(
          NvCacheMXBean.class.getName(), // So that queries for beans of this type find it.
          "Second-level block cache: counters since it was built, levels, live settings",
          AttributeTable.byName().values().stream()
              .map(Attribute::info)
              .toArray(MBeanAttributeInfo[]::new),
          null,
          Operation.ALL.stream().map(Operation::info).toArray(MBeanOperationInfo[]::new),
          AuditTrail.notificationInfo(),
          new ImmutableDescriptor(
              "immutableInfo=true",
              "interfaceClassName=" + NvCacheMXBean.class.getName(),
              "mxbean=true"));

  private final WeakReference<BlockCache> cache;
  private final MBeanServer server;
  private final ObjectName objectName;
  private final AuditTrail audit;
  private final RecentStats recent = new RecentStats(System::nanoTime, SNAPSHOT_AGE);
  private final SettingListener onSetting = this::settingChanged;
  private final CacheListener onState = this::happened;
  private volatile boolean registered;

  NvCacheBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(AuditTrail.notificationInfo());
    this.cache = new WeakReference<>(cache);
    this.server = server;
    this.objectName = objectName;
    this.audit = new AuditTrail(objectName, this::sendNotification);
  }

  ObjectName objectName() {
    return objectName;
  }

  private BlockCache cache() {
    BlockCache present = cache.get();
    if (present == null) {
      unregister();
      throw new IllegalStateException("the cache of " + objectName + " was dropped unclosed");
    }
    return present;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return INFO;
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    return attribute(name).read(new Reading(cache(), recent));
  }

  private static Attribute attribute(String name) throws AttributeNotFoundException {
    Attribute known = AttributeTable.byName().get(name);
    if (known == null) {
      throw new AttributeNotFoundException("No such attribute: " + name);
    }
    return known;
  }

  /** Leaves out those that can't be read. */
  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList values = new AttributeList();
    for (String name : names) {
      try {
        values.add(new javax.management.Attribute(name, getAttribute(name)));
      } catch (AttributeNotFoundException | RuntimeException e) {
        LOG.debug("{}: {} can't be read", objectName, name, e);
      }
    }
    return values;
  }

  @Override
  public void setAttribute(javax.management.Attribute given)
      throws AttributeNotFoundException, InvalidAttributeValueException {
    Attribute attribute = attribute(given.getName());
    BiConsumer<BlockCache, @Nullable Object> set = attribute.set();
    if (set == null) {
      throw new AttributeNotFoundException("Read-only attribute: " + given.getName());
    }
    Object requested = attribute.taken(given.getValue());
    change(attribute, requested, () -> set.accept(cache(), requested));
  }

  /** Refuses in the words of the attribute, whose unit differs from the setting's. */
  private void change(Attribute attribute, @Nullable Object requested, Runnable write) {
    try {
      write.run();
    } catch (IllegalArgumentException e) {
      Object current = attribute.get().apply(new Reading(cache(), recent));
      audit.refused(attribute.name(), current, requested);
      throw new IllegalArgumentException(
          attribute.name()
              + " stays "
              + current
              + ", "
              + ClientText.of(requested)
              + " is out of range. "
              + attribute.description(),
          e);
    }
  }

  /** Sets those that can be set, and returns them. */
  @Override
  public AttributeList setAttributes(AttributeList given) {
    AttributeList set = new AttributeList();
    for (javax.management.Attribute attribute : given.asList()) {
      try {
        setAttribute(attribute);
        set.add(
            new javax.management.Attribute(attribute.getName(), getAttribute(attribute.getName())));
      } catch (AttributeNotFoundException | InvalidAttributeValueException | RuntimeException e) {
        LOG.debug("{}: {} can't be set", objectName, attribute.getName(), e);
      }
    }
    return set;
  }

  @Override
  public @Nullable Object invoke(
      String name, Object @Nullable [] given, String @Nullable [] signature)
      throws ReflectionException {
    String[] types = signature == null ? new String[0] : signature;
    Operation operation =
        Operation.ALL.stream().filter(known -> known.matches(name, types)).findFirst().orElse(null);
    if (operation == null) {
      throw new ReflectionException(
          new NoSuchMethodException(ClientText.of(name + List.of(types))), "No such operation");
    }
    List<?> arguments = operation.taken(given == null ? new Object[0] : given);
    audit.calling(
        operation.words(arguments), () -> operation.action().accept(cache().control(), arguments));
    return null;
  }

  private void settingChanged(String setting, Object before, Object after) {
    AttributeTable.ofSetting(setting)
        .ifPresent(
            attribute -> {
              Object shownBefore = AttributeTable.shown(before);
              Object shownAfter = AttributeTable.shown(after);
              if (setting.equals(LiveSetting.OVERHEAD_TARGET.settingName()) && isExploring()) {
                audit.stepped(attribute.name(), shownBefore, shownAfter);
              } else {
                audit.changed(attribute.name(), shownBefore, shownAfter);
              }
            });
  }

  /** Returns whether the tuning tries targets; who else sets one ends it, which it logs. */
  private boolean isExploring() {
    BlockCache present = cache.get();
    return present != null
        && present.control().tuning().report().state() == TuningReport.State.EXPLORING
        && !Caller.isRemote();
  }

  private void happened(CacheEvent event) {
    audit.happened(event);
  }

  @Override
  public ObjectName preRegister(MBeanServer on, @Nullable ObjectName name) {
    return objectName;
  }

  @Override
  public void postRegister(@Nullable Boolean registrationDone) {
    registered = Boolean.TRUE.equals(registrationDone);
    BlockCache present = cache.get();
    if (present != null && registered) {
      present.control().settings().addListener(onSetting);
      present.control().addListener(onState);
    }
  }

  @Override
  public void preDeregister() {}

  @Override
  public void postDeregister() {
    registered = false; // Whatever has the name from now on is not ours.
    BlockCache present = cache.get();
    if (present != null) {
      present.control().settings().removeListener(onSetting);
      present.control().removeListener(onState);
    }
  }

  /** Gives the name back, unless that has happened already. */
  void unregister() {
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
