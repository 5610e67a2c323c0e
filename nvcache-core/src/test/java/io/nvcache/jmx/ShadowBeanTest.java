// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.management.Attribute;
import javax.management.AttributeChangeNotification;
import javax.management.MBeanServer;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of shadows as a console writes them and hears of them. */
final class ShadowBeanTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(4096)
          .maintainedByCaller()
          .shadows(0.5, "live@20%")
          .build();
  private final List<AttributeChangeNotification> heard = new ArrayList<>();
  private NvCacheMBeanRegistration registration;

  @BeforeEach
  void register() throws Exception {
    registration = NvCacheMBeanRegistration.register(cache, "shadow-bean");
    server.addNotificationListener(
        registration.objectName(),
        (notification, handback) -> heard.add((AttributeChangeNotification) notification),
        null,
        null);
  }

  @AfterEach
  void close() {
    registration.close();
    cache.close();
  }

  private void write(String attribute, Object value) throws Exception {
    server.setAttribute(registration.objectName(), new Attribute(attribute, value));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-100, -2, -0.5, 50.1, Double.NaN})
  void shouldTakeOnlyMinusOneForAChosenSample(double percent) throws Exception {
    write("ShadowSamplePercent", 25.0);
    assertThatThrownBy(() -> write("ShadowSamplePercent", percent))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.25);

    write("ShadowSamplePercent", -1.0);
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.5);
  }

  @Test
  void shouldRefuseCandidatesThatAreMissingOrThereTwice() {
    for (Object wrong :
        Arrays.asList(null, new String[] {null}, new String[] {"live@5%", "live@5%"})) {
      assertThatThrownBy(() -> write("ShadowCandidates", wrong))
          .isInstanceOf(RuntimeMBeanException.class)
          .hasCauseInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("ShadowCandidates stays [live@20%]");
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void shouldTellCandidatesInTheTypeOfTheirAttribute() throws Exception {
    write("ShadowCandidates", new String[] {"live@5%", "paper"});

    assertThat(heard).hasSize(1);
    AttributeChangeNotification change = heard.get(0);
    assertThat(change.getAttributeType()).isEqualTo(String[].class.getName());
    assertThat((String[]) change.getOldValue()).containsExactly("live@20%");
    assertThat((String[]) change.getNewValue()).containsExactly("live@5%", "paper");
    assertThat(change.getMessage())
        .startsWith("ShadowCandidates changed from live@20% to live@5%; paper by ");
  }

  /** A listener of the host's must not make a console believe that nothing changed. */
  @Test
  void shouldNotCallAChangeRefusedBecauseAListenerThrew() throws Exception {
    cache
        .control()
        .settings()
        .addListener(
            (setting, before, after) -> {
              throw new IllegalArgumentException("injected");
            });

    write("OverheadTargetPercent", 33.0);
    write("ShadowCandidates", new String[] {"paper"});

    assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.33);
    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
  }
}
