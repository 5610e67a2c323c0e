// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a console hears, over a real connection. */
final class NotificationsTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
  private long now;
  private final BlockCache cache =
      BlockCache.builder()
          .medium(medium)
          .maxBlockBytes(4096)
          .admission(AdmissionPresets.admitAll())
          .testing(TestHook.nanoTime(() -> now))
          .maintainedByCaller()
          .build();
  private NvCacheMBeanRegistration registration;
  private JMXConnectorServer connectorServer;
  private JMXConnector connector;
  private MBeanServerConnection console;

  @BeforeEach
  void connect() throws Exception {
    registration =
        NvCacheMBeanRegistration.register(cache, MBeanDomain.STANDALONE, "notifications");
    connectorServer =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"), null, server);
    connectorServer.start();
    connector = connectorServer.toJMXConnector(null);
    connector.connect();
    console = connector.getMBeanServerConnection();
    console.addNotificationListener(
        registration.objectName(), (notification, handback) -> heard.add(notification), null, null);
  }

  @AfterEach
  void disconnect() throws Exception {
    connector.close();
    connectorServer.stop();
    registration.close();
    cache.close();
  }

  private Notification next() throws InterruptedException {
    return heard.poll(1, TimeUnit.MINUTES);
  }

  @Test
  void shouldTellWhoChangedWhatFromWhatToWhat() throws Exception {
    console.setAttribute(registration.objectName(), new Attribute("OverheadTargetPercent", 1.0));

    AttributeChangeNotification change = (AttributeChangeNotification) next();
    assertThat(change.getAttributeName()).isEqualTo("OverheadTargetPercent");
    assertThat(change.getOldValue()).isEqualTo(10.0);
    assertThat(change.getNewValue()).isEqualTo(1.0);
    assertThat((String) change.getUserData()).matches("host \\S+");
  }

  @Test
  void shouldTellChangesThatTheHostMakes() throws Exception {
    cache.control().settings().setEvictionWindow(Duration.ofSeconds(20));
    cache.control().settings().setEvictionWindow(Duration.ofSeconds(20)); // No change.
    cache.control().settings().setFullTarget(0.5);

    AttributeChangeNotification change = (AttributeChangeNotification) next();
    assertThat(change.getAttributeName()).isEqualTo("EvictionWindowSeconds");
    assertThat(change.getNewValue()).isEqualTo(20L);
    assertThat((String) change.getUserData()).contains("of this JVM");
    assertThat(((AttributeChangeNotification) next()).getAttributeName())
        .isEqualTo("FullTargetPercent");
  }

  @Test
  void shouldTellNothingOfWhatWasRefused() throws Exception {
    assertThatThrownBy(
            () ->
                console.setAttribute(
                    registration.objectName(), new Attribute("OverheadTargetPercent", 2000.0)))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                console.setAttribute(
                    registration.objectName(), new Attribute("OverheadTargetPercent", "much")))
        .isInstanceOf(Exception.class);
    assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.10);
    cache.control().settings().setFullTarget(0.5);
    assertThat(((AttributeChangeNotification) next()).getAttributeName())
        .isEqualTo("FullTargetPercent");
  }

  @Test
  void shouldTellConditions() throws Exception {
    medium.failWrites = true;
    cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
    for (int second = 0; second < 12; second++) {
      now += Duration.ofSeconds(1).toNanos();
      cache.control().maintain();
    }

    Notification begun = next();
    assertThat(begun.getType()).isEqualTo("io.nvcache.condition.begun");
    assertThat(begun.getUserData()).isEqualTo("MEDIUM_FAILING");
    assertThat(begun.getMessage()).contains("1 reads and writes failed");
    assertThat(next().getType()).isEqualTo("io.nvcache.condition.ended");
  }

  private Notification nextOperation() throws InterruptedException {
    Notification notification = next();
    while (notification.getType().equals(AttributeChangeNotification.ATTRIBUTE_CHANGE)) {
      notification = next(); // Tuning changes settings.
    }
    return notification;
  }

  @Test
  void shouldTellWhoCalledWhichOperation() throws Exception {
    NvCacheMXBean bean =
        JMX.newMXBeanProxy(console, registration.objectName(), NvCacheMXBean.class);
    Map<String, Runnable> operations = new LinkedHashMap<>();
    operations.put("takeOutOfService(a new DIMM)", () -> bean.takeOutOfService("a new DIMM"));
    operations.put("returnToService()", bean::returnToService);
    operations.put("startTuning(1.0, 50.0, 100)", () -> bean.startTuning(1, 50, 100));
    operations.put("stopTuning()", bean::stopTuning);
    operations.put("resetShadows()", bean::resetShadows);
    for (Map.Entry<String, Runnable> operation : operations.entrySet()) {
      String log = CapturedLog.of(operation.getValue()::run);

      Notification called = nextOperation();
      assertThat(called.getType()).isEqualTo("io.nvcache.operation");
      assertThat((String) called.getUserData()).matches("host \\S+");
      assertThat(called.getMessage())
          .isEqualTo(operation.getKey() + " called by " + called.getUserData());
      assertThat(log).contains(registration.objectName() + ": " + called.getMessage());
    }
  }

  @Test
  void shouldLogWhoWasRefusedAnOperation() throws Exception {
    NvCacheMXBean bean =
        JMX.newMXBeanProxy(console, registration.objectName(), NvCacheMXBean.class);
    String log =
        CapturedLog.of(
            () ->
                assertThatThrownBy(() -> bean.startTuning(50, 1, 100))
                    .hasMessage(
                        "the bounds of the overhead target are 0.5 and 0.01; they must ascend,"
                            + " between 0.001 and 10.0"));

    assertThat(log).containsPattern("startTuning\\(50.0, 1.0, 100\\) called by host \\S+ failed: ");
    bean.stopTuning();
    assertThat(nextOperation().getMessage()).as("nothing before it").startsWith("stopTuning()");
  }

  @ParameterizedTest
  @CsvSource({
    "STANDALONE, 'io.nvcache:type=BlockCache,name=a'",
    "HBASE, 'Hadoop:service=HBase,name=RegionServer,sub=NvCache,cache=a'",
    "CASSANDRA, 'org.apache.cassandra.db:type=NvCache,name=a'",
  })
  void shouldRegisterWhereTheUsersOfAHostLook(MBeanDomain domain, String name) throws Exception {
    try (NvCacheMBeanRegistration other = NvCacheMBeanRegistration.register(cache, domain, "a")) {
      assertThat(other.objectName()).isEqualTo(new ObjectName(name));
      assertThat(server.isRegistered(new ObjectName(name))).isTrue();
    }
  }
}
