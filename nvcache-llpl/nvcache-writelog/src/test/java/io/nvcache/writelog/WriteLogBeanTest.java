// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteLogBeanTest {
  @TempDir Path directory;

  @Test
  void shouldShowALogToJmxAndMicrometer() throws Exception {
    Path root = Files.createDirectory(directory.resolve("root"));
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName all = new ObjectName("io.nvcache:type=WriteLog,*");
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (WriteLog log =
        WriteLog.builder(directory.resolve("log"))
            .root(root)
            .capacityBytes(1 << 20)
            .persistence(Persistence.EMULATED)
            .open()) {
      log.registerMBean();
      log.registerMBean();
      ObjectName name = server.queryNames(all, null).iterator().next();
      assertThat(ObjectName.unquote(name.getKeyProperty("name"))).isEqualTo(log.path().toString());
      assertThat(server.getAttribute(name, "Grade")).isEqualTo("POWER_FAIL");
      assertThat(server.getAttribute(name, "Emulated")).isEqualTo(true);
      assertThat(server.getAttribute(name, "SickFiles")).isEqualTo(new String[0]);
      assertThat(server.getAttribute(name, "CapacityBytes")).isEqualTo(1L << 20);
      assertThat(server.getAttribute(name, "Propagation")).isEqualTo("ON_WRITE");
      server.addNotificationListener(name, (notification, handback) -> {}, null, null);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (log.conditions().isEmpty() && System.nanoTime() < deadline) {
        Thread.sleep(10);
      }
      assertThat(server.getAttribute(name, "Conditions"))
          .asInstanceOf(InstanceOfAssertFactories.type(TabularData.class))
          .satisfies(data -> assertThat(data.containsKey(new Object[] {"EMULATED"})).isTrue());
      server.invoke(name, "drain", new Object[0], new String[0]);
      new WriteLogMetrics(log).bindTo(registry);
      assertThat(registry.get("nvcache.writelog.capacity.bytes").gauge().value())
          .isEqualTo(1 << 20);
      assertThat(
              registry
                  .get("nvcache.writelog.condition")
                  .tag("condition", "emulated")
                  .gauge()
                  .value())
          .isEqualTo(1);
      assertThat(registry.get("nvcache.writelog.records").functionCounter().count()).isZero();
    }
    assertThat(server.queryNames(all, null)).isEmpty();
  }
}
