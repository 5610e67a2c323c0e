// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.control.CacheEvent;
import io.nvcache.control.CacheListener;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import io.nvcache.control.TuningReport;
import java.time.Duration;
import java.util.function.Supplier;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The live settings of one cache. Changes are heard of from the settings themselves, so that those
 * which the host makes are in the {@linkplain AuditTrail audit trail}, too.
 */
abstract class SettingsBean extends WeakCacheBean implements NvCacheMXBean {
  private final AuditTrail audit;
  private final SettingListener onSetting = this::settingChanged;
  private final CacheListener onState = this::happened;

  SettingsBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(NvCacheMXBean.class, cache, server, objectName);
    this.audit = new AuditTrail(objectName, this::sendNotification);
  }

  @Override
  public void postRegister(@Nullable Boolean registrationDone) {
    super.postRegister(registrationDone);
    BlockCache cache = present();
    if (cache != null && Boolean.TRUE.equals(registrationDone)) {
      cache.control().settings().addListener(onSetting);
      cache.control().addListener(onState);
    }
  }

  @Override
  public void postDeregister() {
    BlockCache cache = present();
    if (cache != null) {
      cache.control().settings().removeListener(onSetting);
      cache.control().removeListener(onState);
    }
    super.postDeregister();
  }

  @Override
  public MBeanNotificationInfo[] getNotificationInfo() {
    return AuditTrail.notificationInfo();
  }

  private void settingChanged(String setting, Object before, Object after) {
    LiveAttribute.of(setting)
        .ifPresent(
            live -> {
              Object shownBefore = LiveAttribute.shown(before);
              Object shownAfter = LiveAttribute.shown(after);
              if (live == LiveAttribute.OVERHEAD_TARGET && isExploring()) {
                audit.stepped(live.attribute(), shownBefore, shownAfter);
              } else {
                audit.changed(live.attribute(), shownBefore, shownAfter);
              }
            });
  }

  /** Returns whether the tuning tries targets; who else sets one ends it, which it logs. */
  private boolean isExploring() {
    BlockCache cache = present();
    return cache != null
        && cache.control().tuning().report().state() == TuningReport.State.EXPLORING
        && !Caller.isRemote();
  }

  private void happened(CacheEvent event) {
    audit.happened(event);
  }

  /** Carries out an operation that was called. */
  final void call(String operation, Runnable action) {
    audit.calling(operation, action);
  }

  private LiveSettings settings() {
    return cache().control().settings();
  }

  /** Refuses in the words of the attribute, whose unit differs from the setting's. */
  final void change(String attribute, Object requested, Supplier<Object> current, Runnable write) {
    try {
      write.run();
    } catch (IllegalArgumentException e) {
      String range = AttributeDescriptions.of(attribute);
      audit.refused(attribute, current.get(), requested);
      throw new IllegalArgumentException(
          attribute
              + " stays "
              + current.get()
              + ", "
              + ClientText.of(requested)
              + " is out of range. "
              + range,
          e);
    }
  }

  @Override
  public final double getOverheadTargetPercent() {
    return LiveAttribute.percent(settings().overheadTarget());
  }

  @Override
  public final void setOverheadTargetPercent(double percent) {
    change(
        "OverheadTargetPercent",
        percent,
        this::getOverheadTargetPercent,
        () -> settings().setOverheadTarget(percent / 100));
  }

  @Override
  public final long getSmallBypassDramBytes() {
    return settings().smallBypassDramBytes();
  }

  @Override
  public final void setSmallBypassDramBytes(long bytes) {
    change(
        "SmallBypassDramBytes",
        bytes,
        this::getSmallBypassDramBytes,
        () -> settings().setSmallBypassDramBytes(bytes));
  }

  @Override
  public final double getSmallBypassFractionPercent() {
    return LiveAttribute.percent(settings().smallBypassFraction());
  }

  @Override
  public final void setSmallBypassFractionPercent(double percent) {
    change(
        "SmallBypassFractionPercent",
        percent,
        this::getSmallBypassFractionPercent,
        () -> settings().setSmallBypassFraction(percent / 100));
  }

  @Override
  public final long getEvictionWindowSeconds() {
    return settings().evictionWindow().toSeconds();
  }

  @Override
  public final void setEvictionWindowSeconds(long seconds) {
    change(
        "EvictionWindowSeconds",
        seconds,
        this::getEvictionWindowSeconds,
        () -> settings().setEvictionWindow(Duration.ofSeconds(seconds)));
  }

  @Override
  public final double getFullTargetPercent() {
    return LiveAttribute.percent(settings().fullTarget());
  }

  @Override
  public final void setFullTargetPercent(double percent) {
    change(
        "FullTargetPercent",
        percent,
        this::getFullTargetPercent,
        () -> settings().setFullTarget(percent / 100));
  }

  @Override
  public final long getMaxPinnedBytes() {
    return settings().maxPinnedBytes();
  }

  @Override
  public final void setMaxPinnedBytes(long bytes) {
    change(
        "MaxPinnedBytes",
        bytes,
        this::getMaxPinnedBytes,
        () -> settings().setMaxPinnedBytes(bytes));
  }

  @Override
  public final long getWriteLimitBytesPerSecond() {
    return settings().writeLimitBytesPerSecond();
  }

  @Override
  public final void setWriteLimitBytesPerSecond(long bytes) {
    change(
        "WriteLimitBytesPerSecond",
        bytes,
        this::getWriteLimitBytesPerSecond,
        () -> settings().setWriteLimitBytesPerSecond(bytes));
  }

  @Override
  public final long getWriteLimitBytesPerDay() {
    return settings().writeLimitBytesPerDay();
  }

  @Override
  public final void setWriteLimitBytesPerDay(long bytes) {
    change(
        "WriteLimitBytesPerDay",
        bytes,
        this::getWriteLimitBytesPerDay,
        () -> settings().setWriteLimitBytesPerDay(bytes));
  }
}
