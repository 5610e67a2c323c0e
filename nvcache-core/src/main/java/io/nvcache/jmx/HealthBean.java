// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.control.CacheHealth;
import java.util.Objects;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The part of a cache's bean that reports its state and how its medium fares, and takes it in and
 * out of service.
 */
abstract class HealthBean extends SettingsBean {
  HealthBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(cache, server, objectName);
  }

  private CacheHealth health() {
    return cache().control().health();
  }

  @Override
  public String getState() {
    return health().state().name();
  }

  @Override
  public String getProblem() {
    return health().reason();
  }

  @Override
  public boolean isInService() {
    return health().inService();
  }

  @Override
  public String getOutOfServiceReason() {
    CacheHealth health = health();
    return health.inService() ? "" : health.reason();
  }

  @Override
  public long getOutages() {
    return health().outages();
  }

  @Override
  public long getRefusedLookups() {
    return health().refusedLookups();
  }

  @Override
  public long getStuckCalls() {
    return health().stuckCalls();
  }

  @Override
  public long getChecksumFailures() {
    return health().checksumFailures();
  }

  @Override
  public long getQuarantinedBlocks() {
    return health().quarantinedBlocks();
  }

  @Override
  public long getQuarantinedBytes() {
    return health().quarantinedBytes();
  }

  @Override
  public long getIndexFaults() {
    return health().indexFaults();
  }

  @Override
  public long getSpaceFaults() {
    return health().spaceFaults();
  }

  @Override
  public long getOpenLeases() {
    return health().openPins();
  }

  @Override
  public long getSecondsSinceMaintenance() {
    return health().secondsSinceMaintenance();
  }

  @Override
  public void takeOutOfService(String reason) {
    // Consoles send null for no argument.
    String given = ClientText.of(Objects.requireNonNullElse(reason, ""));
    call("takeOutOfService(" + given + ")", () -> cache().control().takeOutOfService(given));
  }

  @Override
  public void returnToService() {
    call("returnToService()", cache().control()::returnToService);
  }
}
