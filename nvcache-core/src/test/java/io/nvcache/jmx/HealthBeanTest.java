// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.micrometer.NvCacheMetrics;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator sees of a medium that fails, and can do about it. */
final class HealthBeanTest {
  private static final int LENGTH = 4096;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private long now;
  private FaultyMedium medium;
  private BlockCache cache;
  private ObjectName name;

  @BeforeEach
  void build() throws Exception {
    medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .admission(AdmissionPresets.admitAll())
            .checksum(Checksum.CRC32C)
            .maxMediumFailures(2)
            .registerMBean("health")
            .testing(TestHook.nanoTime(() -> now))
            .maintainedByCaller()
            .build();
    name = new ObjectName("io.nvcache:type=BlockCache,name=health");
    NvCacheMetrics.monitor(registry, cache, "health");
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private Object attribute(String attribute) throws Exception {
    return server.getAttribute(name, attribute);
  }

  private double gauge(String meter) {
    return registry.get(meter).gauge().value();
  }

  private int get() {
    return cache.get(1, 0, ByteBuffer.allocate(LENGTH));
  }

  @Test
  void shouldShowAMediumThatFails() throws Exception {
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    assertThat(attribute("InService")).isEqualTo(true);
    assertThat(attribute("OutOfServiceReason")).isEqualTo("");
    assertThat(gauge("nvcache.in.service")).isEqualTo(1);

    medium.inject(Fault.READ_ERROR);
    get();
    get();
    get();
    cache.offer(1, LENGTH, ByteBuffer.allocate(LENGTH), Source.READ);

    assertThat(attribute("InService")).isEqualTo(false);
    assertThat((String) attribute("OutOfServiceReason")).contains("reads failed 2 times");
    assertThat(attribute("Outages")).isEqualTo(1L);
    assertThat(attribute("RefusedLookups")).isEqualTo(1L);
    assertThat(attribute("StuckCalls")).isEqualTo(0L);
    assertThat(cache.stats().offers(OfferResult.OUT_OF_SERVICE)).isEqualTo(1);
    assertThat(gauge("nvcache.in.service")).isZero();
    assertThat(gauge("nvcache.stuck.calls")).isZero();
    assertThat(registry.get("nvcache.outages").functionCounter().count()).isEqualTo(1);
    assertThat(registry.get("nvcache.lookups.refused").functionCounter().count()).isEqualTo(1);
  }

  @Test
  void shouldShowBlocksThatChanged() throws Exception {
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    medium.inject(Fault.BIT_FLIP);
    get();
    assertThat(attribute("ChecksumFailures")).isEqualTo(1L);
    assertThat(attribute("QuarantinedBlocks")).isEqualTo(1L);
    assertThat(attribute("QuarantinedBytes")).isEqualTo((long) LENGTH);
    assertThat(attribute("IndexFaults")).isEqualTo(0L);
    assertThat(attribute("SpaceFaults")).isEqualTo(0L);
    assertThat(attribute("OpenLeases")).isEqualTo(0L);
    assertThat(registry.get("nvcache.checksum.failures").functionCounter().count()).isEqualTo(1);
    assertThat(registry.get("nvcache.quarantined.bytes").functionCounter().count())
        .isEqualTo(LENGTH);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "   "})
  void shouldNotTakeACacheOutOfServiceWithoutAReason(String reason) throws Exception {
    assertThatThrownBy(
            () ->
                server.invoke(
                    name,
                    "takeOutOfService",
                    new Object[] {reason},
                    new String[] {String.class.getName()}))
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .rootCause()
        .hasMessageContaining("the reason is missing");
    assertThat(attribute("InService")).isEqualTo(true);
  }

  @Test
  void shouldShowThatTheBackgroundWorkIsNotDone() throws Exception {
    assertThat(attribute("SecondsSinceMaintenance")).isEqualTo(0L);
    now += TimeUnit.SECONDS.toNanos(77);
    assertThat(attribute("SecondsSinceMaintenance")).isEqualTo(77L);
    assertThat(gauge("nvcache.maintenance.age")).isEqualTo(77);
    cache.control().maintain();
    assertThat(attribute("SecondsSinceMaintenance")).isEqualTo(0L);
  }

  @Test
  void shouldTakeACacheOutOfServiceAndBack() throws Exception {
    cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
    server.invoke(
        name,
        "takeOutOfService",
        new Object[] {"a new DIMM comes"},
        new String[] {String.class.getName()});
    assertThat(attribute("OutOfServiceReason")).isEqualTo("a new DIMM comes");
    assertThat(get()).isEqualTo(BlockCache.MISS);
    server.invoke(name, "returnToService", new Object[0], new String[0]);
    assertThat(attribute("InService")).isEqualTo(true);
    assertThat(get()).isEqualTo(LENGTH);
  }

  /** It goes into the log, where a separate line would look like one of the audit trail's. */
  @Test
  void shouldKeepAnOperatorsReasonOnOneShortLine() throws Exception {
    String reason = "disk\r\n[main] INFO forged\u001b[2J\u2028\u202e" + "x".repeat(50 << 20);

    String log =
        CapturedLog.of(
            () ->
                server.invoke(
                    name,
                    "takeOutOfService",
                    new Object[] {reason},
                    new String[] {String.class.getName()}));

    String shown = (String) attribute("OutOfServiceReason");
    assertThat(shown).hasSizeLessThan(260).startsWith("disk  [main] INFO forged [2J");
    assertThat(shown).doesNotContain("\n", "\r", "\u001b", "\u2028", "\u202e");
    assertThat(log.lines()).noneMatch(line -> line.startsWith("[main] INFO forged"));
    assertThat(log).hasSizeLessThan(2000).doesNotContain("\u001b");
  }
}
