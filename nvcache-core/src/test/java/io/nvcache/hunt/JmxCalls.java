// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.management.Attribute;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** What a console may send. */
final class JmxCalls {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final @Nullable Object[] VALUES = {
    null,
    -1L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    0L,
    Double.NaN,
    -1.0,
    1e308,
    50.0,
    "nonsense",
    new String[] {null},
    new String[] {"nonsense"},
    new String[0]
  };

  /** A refusal must come as what consoles can show: the JDK's own classes. */
  private static final Set<String> REFUSALS =
      Set.of(
          "RuntimeMBeanException",
          "MBeanException",
          "ReflectionException",
          "InvalidAttributeValueException",
          "RuntimeOperationsException",
          "InstanceNotFoundException");

  private JmxCalls() {}

  static void call(World world) {
    List<ObjectName> names = new ArrayList<>(beans());
    if (names.isEmpty()) {
      return;
    }
    ObjectName name = names.get(world.random.nextInt(names.size()));
    Object value = VALUES[world.random.nextInt(VALUES.length)];
    try {
      if (world.random.nextInt(4) > 0) {
        set(world, name, value);
      } else {
        invoke(world, name, value);
      }
    } catch (javax.management.JMException e) {
      world.require(!SERVER.isRegistered(name), "JMX: " + e);
    }
    // Or nothing would be admitted, or asked, any more.
    for (Prey prey : world.preys()) {
      prey.cache.control().returnToService();
      prey.cache.control().settings().setOverheadTarget(10);
      prey.cache.control().settings().setSmallBypassDramBytes(0);
      prey.cache.control().settings().setWriteLimitBytesPerSecond(0);
      prey.cache.control().settings().setWriteLimitBytesPerDay(0);
      prey.cache.control().tuning().stop();
      if (prey.isOrdinary()) {
        prey.cache.control().shadows().setSampleRatio(0);
      }
    }
  }

  static Set<ObjectName> beans() {
    try {
      return SERVER.queryNames(new ObjectName("io.nvcache:*"), null);
    } catch (javax.management.MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void set(World world, ObjectName name, @Nullable Object value)
      throws javax.management.JMException {
    List<MBeanAttributeInfo> writable = new ArrayList<>();
    for (MBeanAttributeInfo info : SERVER.getMBeanInfo(name).getAttributes()) {
      if (info.isWritable()) {
        writable.add(info);
      }
    }
    MBeanAttributeInfo info = writable.get(world.random.nextInt(writable.size()));
    world.steps.act(
        "jmx.set",
        info.getName() + " " + value,
        REFUSALS,
        () -> SERVER.setAttribute(name, new Attribute(info.getName(), value)));
    requireClear(world, info.getName());
  }

  private static void invoke(World world, ObjectName name, @Nullable Object value)
      throws javax.management.JMException {
    MBeanOperationInfo[] all = SERVER.getMBeanInfo(name).getOperations();
    MBeanOperationInfo info = all[world.random.nextInt(all.length)];
    @Nullable Object[] arguments = new Object[info.getSignature().length];
    String[] types = new String[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      types[i] = info.getSignature()[i].getType();
      arguments[i] =
          switch (types[i]) {
            case "long" -> world.extreme();
            case "double" -> SideCalls.ratio(world);
            default -> value instanceof String ? value : null;
          };
    }
    world.steps.act(
        "jmx.invoke",
        info.getName(),
        REFUSALS,
        () -> SERVER.invoke(name, info.getName(), arguments, types));
    requireClear(world, info.getName());
  }

  /** An exception of the bean's own tells what is wrong with the value. */
  private static void requireClear(World world, String what) {
    Throwable thrown = world.steps.thrown();
    if (thrown instanceof javax.management.RuntimeMBeanException refusal) {
      RuntimeException cause = refusal.getTargetException();
      world.require(
          cause instanceof IllegalArgumentException
              || cause instanceof ClassCastException // Of another type: the JDK says so.
              || cause instanceof Planted,
          what + " was refused with " + cause);
    }
  }
}
