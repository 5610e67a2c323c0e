// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanNotificationInfo;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import javax.management.StandardEmitterMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows a log to JMX. */
final class WriteLogBean implements WriteLogMXBean {
  private final WriteLog log;

  private WriteLogBean(WriteLog log) {
    this.log = log;
  }

  /** Sends what a log's conditions do to consoles. */
  private static final class Notifier implements WriteLogListener {
    private final ObjectName bean;
    private final NotificationBroadcasterSupport consoles;
    private final AtomicLong count = new AtomicLong();

    private Notifier(ObjectName bean, NotificationBroadcasterSupport consoles) {
      this.bean = bean;
      this.consoles = consoles;
    }

    @Override
    public void begun(WriteLogCondition condition, String reason) {
      send(BEGUN, condition, condition + ": " + reason);
    }

    @Override
    public void ended(WriteLogCondition condition) {
      send(ENDED, condition, condition + " ended");
    }

    private void send(String type, WriteLogCondition condition, String message) {
      Notification notification =
          new Notification(
              type, bean, count.incrementAndGet(), System.currentTimeMillis(), message);
      notification.setUserData(condition.name());
      consoles.sendNotification(notification);
    }
  }

  private static final String BEGUN = "io.nvcache.condition.begun";
  private static final String ENDED = "io.nvcache.condition.ended";

  /** Registers a log; one that can't be is logged, and works all the same. */
  static AutoCloseable register(WriteLog log) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name =
          new ObjectName(
              "io.nvcache:type=WriteLog,name=" + ObjectName.quote(log.path().toString()));
      NotificationBroadcasterSupport consoles =
          new NotificationBroadcasterSupport(
              new MBeanNotificationInfo(
                  new String[] {BEGUN, ENDED},
                  Notification.class.getName(),
                  "A condition began or ended; the message says why, the user data which."));
      server.registerMBean(
          new StandardEmitterMBean(new WriteLogBean(log), WriteLogMXBean.class, true, consoles),
          name);
      Notifier notifier = new Notifier(name, consoles);
      log.addListener(notifier);
      return () -> {
        log.removeListener(notifier);
        unregister(server, name);
      };
    } catch (InstanceAlreadyExistsException e) {
      return () -> {};
    } catch (JMException e) {
      logger().warn("the write log {} has no bean: {}", log.path(), e.toString());
      return () -> {};
    }
  }

  private static void unregister(MBeanServer server, ObjectName name) throws JMException {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      logger().debug("the bean {} was gone", name);
    }
  }

  /** Late, because a log may be opened while the JVM starts. */
  private static Logger logger() {
    return LoggerFactory.getLogger(WriteLogMXBean.class);
  }

  private static String caller() {
    try {
      return "host " + RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "thread " + Thread.currentThread().getName() + " of this JVM";
    }
  }

  @Override
  public String getGrade() {
    return log.grade().name();
  }

  @Override
  public String getPersistence() {
    return log.persistence().name();
  }

  @Override
  public boolean isEmulated() {
    return log.persistence() == Persistence.EMULATED;
  }

  @Override
  public Map<String, String> getConditions() {
    Map<String, String> conditions = new TreeMap<>();
    log.conditions().forEach((condition, reason) -> conditions.put(condition.name(), reason));
    return conditions;
  }

  @Override
  public long getRecords() {
    return log.stats().records();
  }

  @Override
  public long getBytes() {
    return log.stats().bytes();
  }

  @Override
  public long getPendingRecords() {
    return log.stats().pendingRecords();
  }

  @Override
  public long getPendingBytes() {
    return log.stats().pendingBytes();
  }

  @Override
  public String getPropagation() {
    return log.propagation().name();
  }

  @Override
  public long getPendingPages() {
    return log.stats().pendingPages();
  }

  @Override
  public long getPageIndexBytes() {
    return log.stats().pageIndexBytes();
  }

  @Override
  public long getCapacityBytes() {
    return log.stats().capacityBytes();
  }

  @Override
  public long getAbsorbedForces() {
    return log.stats().absorbedForces();
  }

  @Override
  public long getForces() {
    return log.stats().forces();
  }

  @Override
  public long getSyncs() {
    return log.stats().syncs();
  }

  @Override
  public long getWaits() {
    return log.stats().waits();
  }

  @Override
  public long getFailedWrites() {
    return log.stats().failedWrites();
  }

  @Override
  public long getDrainFailures() {
    return log.stats().drainFailures();
  }

  @Override
  public String getDrainFailure() {
    return log.stats().drainFailure();
  }

  @Override
  public String[] getSickFiles() {
    return log.sickFiles().toArray(new String[0]);
  }

  @Override
  public long getOrphanBytes() {
    return log.stats().orphanBytes();
  }

  @Override
  public void drain() throws IOException {
    logger().info("the write log {} is drained by {}", log.path(), caller());
    log.drain();
  }
}
