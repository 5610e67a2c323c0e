// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.control.CacheEvent;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.management.AttributeChangeNotification;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what is done to a cache and by whom, and notifies consoles. */
final class AuditTrail {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheMXBean.class);
  private static final String BEGUN = "io.nvcache.condition.begun";
  private static final String ENDED = "io.nvcache.condition.ended";
  private static final String OPERATION = "io.nvcache.operation";

  private final ObjectName bean;
  private final Consumer<Notification> consoles;
  private final AtomicLong notifications = new AtomicLong();

  AuditTrail(ObjectName bean, Consumer<Notification> consoles) {
    this.bean = bean;
    this.consoles = consoles;
  }

  /** Returns what {@link #changed}, {@link #calling} and {@link #happened} tell. */
  static MBeanNotificationInfo[] notificationInfo() {
    return new MBeanNotificationInfo[] {
      new MBeanNotificationInfo(
          new String[] {AttributeChangeNotification.ATTRIBUTE_CHANGE},
          AttributeChangeNotification.class.getName(),
          "A live setting was changed; the user data says by whom."),
      new MBeanNotificationInfo(
          new String[] {OPERATION},
          Notification.class.getName(),
          "An operation was called; the message says which, the user data by whom."),
      new MBeanNotificationInfo(
          new String[] {BEGUN, ENDED},
          Notification.class.getName(),
          "A condition began or ended; the message says why, the user data which.")
    };
  }

  /** An attribute has another value. */
  void changed(String attribute, Object before, Object after) {
    LOG.info("{}: {}", bean, tellChange(attribute, before, after));
  }

  /** An attribute has another value for some seconds, which is one of many such steps. */
  void stepped(String attribute, Object before, Object after) {
    LOG.debug("{}: {}", bean, tellChange(attribute, before, after));
  }

  private String tellChange(String attribute, Object before, Object after) {
    String caller = ClientText.of(Caller.describe());
    String change =
        attribute + " changed from " + words(before) + " to " + words(after) + " by " + caller;
    AttributeChangeNotification notification =
        new AttributeChangeNotification(
            bean,
            notifications.incrementAndGet(),
            System.currentTimeMillis(),
            change,
            attribute,
            after.getClass().getName(),
            before,
            after);
    notification.setUserData(caller);
    consoles.accept(notification);
    return change;
  }

  private static String words(Object shown) {
    return shown instanceof String[] texts ? String.join("; ", texts) : shown.toString();
  }

  /** An attribute was to have another value and has not. */
  void refused(String attribute, Object current, @Nullable Object requested) {
    LOG.warn(
        "{}: {} stays {}, {} asked for {} and was refused",
        bean,
        attribute,
        current,
        ClientText.of(Caller.describe()),
        ClientText.of(requested));
  }

  /** Carries out an operation; what it throws is logged and thrown on. */
  void calling(String operation, Runnable action) {
    String caller = ClientText.of(Caller.describe());
    try {
      action.run();
    } catch (RuntimeException e) {
      LOG.warn("{}: {} called by {} failed: {}", bean, operation, caller, ClientText.of(e));
      throw e;
    }
    String message = operation + " called by " + caller;
    LOG.info("{}: {}", bean, message);
    tell(OPERATION, message, caller);
  }

  /** A condition began or ended. */
  void happened(CacheEvent event) {
    tell(event.begun() ? BEGUN : ENDED, event.toString(), event.condition().name());
  }

  private void tell(String type, String message, String userData) {
    Notification notification =
        new Notification(type, bean, notifications.incrementAndGet(), message);
    notification.setUserData(userData);
    consoles.accept(notification);
  }
}
