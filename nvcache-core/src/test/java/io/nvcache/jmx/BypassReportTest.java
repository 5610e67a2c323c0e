// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.TestHook;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cache that bypasses itself says in the log and over JMX. */
final class BypassReportTest {
  private static final int LENGTH = 4096;
  private static final String SMALL =
      "data set 151.2 MiB x 0.5 fits in 23.5 GiB of DRAM: nothing is cached; set"
          + " smallBypassDramBytes=0 (over JMX: SmallBypassDramBytes=0) to cache anyway";

  private long now;
  private long offset;
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(LENGTH)
          .overheadTarget(10)
          .smallBypassDramBytes(25_232_932_864L)
          .testing(TestHook.nanoTime(() -> now))
          .maintainedByCaller()
          .build();
  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final NvCacheMBeanRegistration registration =
      NvCacheMBeanRegistration.register(cache, "bypass", server);
  private final NvCacheMXBean bean =
      JMX.newMXBeanProxy(server, registration.objectName(), NvCacheMXBean.class);

  @AfterEach
  void close() {
    registration.close();
    cache.close();
  }

  private void offerForSeconds(int seconds) {
    for (int second = 0; second < seconds; second++) {
      cache.get(1, offset, ByteBuffer.allocate(LENGTH));
      cache.offer(1, offset, ByteBuffer.allocate(LENGTH), Source.READ);
      offset += LENGTH;
      now += Duration.ofSeconds(1).toNanos();
      cache.control().maintain();
    }
  }

  private static long lines(String log, String text) {
    return log.lines().filter(line -> line.contains(text)).count();
  }

  @Test
  void shouldWarnOnceWithArithmeticSettingAndRemedy() throws Exception {
    cache.control().dataSet().register(1, 158_544_691);
    String log = CapturedLog.of(() -> offerForSeconds(20));
    assertThat(lines(log, "WARN")).isEqualTo(1);
    assertThat(log).contains("WARN", "BYPASSING began: offers refused: bypassed_small 3; " + SMALL);
    assertThat(bean.getState()).isEqualTo("BYPASSING");
    assertThat(bean.getMedium()).isEqualTo(cache.control().medium()).startsWith("native memory, ");
    assertThat(bean.getProblem()).isEqualTo("offers refused: bypassed_small 1; " + SMALL);
    assertThat(bean.getOutOfServiceReason()).isEmpty();

    bean.setSmallBypassDramBytes(0);
    offerForSeconds(1);
    assertThat(bean.getState()).isEqualTo("SERVING");
    assertThat(bean.getProblem()).isEmpty();

    bean.setSmallBypassDramBytes(1L << 40);
    String again = CapturedLog.of(() -> offerForSeconds(3));
    assertThat(lines(again, "INFO")).isEqualTo(1);
    assertThat(again).contains("BYPASSING began").doesNotContain("WARN");
  }

  @Test
  void shouldWarnOfTheSettingThoughBypassingBeganForAnotherReason() throws Exception {
    cache.control().settings().setOverheadTarget(0);
    cache.control().settings().setSmallBypassDramBytes(0);
    String before = CapturedLog.of(() -> offerForSeconds(60));
    assertThat(before).contains("INFO").contains("BYPASSING began").doesNotContain("WARN");
    cache.control().dataSet().register(1, 158_544_691);
    cache.control().settings().setSmallBypassDramBytes(25_232_932_864L);
    String log = CapturedLog.of(() -> offerForSeconds(5));
    assertThat(lines(log, "WARN")).isEqualTo(1);
    assertThat(log)
        .contains("BYPASSING continues: offers refused: bypassed_small 1; " + SMALL)
        .doesNotContain("began");
  }
}
