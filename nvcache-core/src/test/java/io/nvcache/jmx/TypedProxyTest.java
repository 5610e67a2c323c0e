// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.TuningReport;
import java.util.List;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.InvalidAttributeValueException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bean is a dynamic one; clients see what {@link NvCacheMXBean} promises. */
final class TypedProxyTest {
  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final BlockCache cache =
      BlockCache.builder().nativeMemory(1 << 20).maxBlockBytes(4096).maintainedByCaller().build();
  private final NvCacheMBeanRegistration registration =
      NvCacheMBeanRegistration.register(cache, "typed", server);
  private final ObjectName name = registration.objectName();
  private final NvCacheMXBean proxy = JMX.newMXBeanProxy(server, name, NvCacheMXBean.class);

  @AfterEach
  void close() {
    registration.close();
    cache.close();
  }

  @Test
  void shouldSetEachSetting() {
    proxy.setOverheadTargetPercent(25);
    proxy.setSmallBypassDramBytes(1L << 40);
    proxy.setSmallBypassFractionPercent(75);
    proxy.setEvictionWindowSeconds(60);
    proxy.setFullTargetPercent(80);
    proxy.setMaxPinnedBytes(8192);
    proxy.setWriteLimitBytesPerSecond(1000);
    proxy.setWriteLimitBytesPerDay(2000);
    proxy.setShadowCandidates(List.of("live@20%", "paper*2"));
    proxy.setShadowSamplePercent(50);
    assertThat(proxy.getOverheadTargetPercent()).isEqualTo(25);
    assertThat(proxy.getSmallBypassDramBytes()).isEqualTo(1L << 40);
    assertThat(proxy.getSmallBypassFractionPercent()).isEqualTo(75);
    assertThat(cache.control().settings().evictionWindow()).hasSeconds(60);
    assertThat(cache.control().settings().fullTarget()).isEqualTo(0.8);
    assertThat(proxy.getMaxPinnedBytes()).isEqualTo(8192);
    assertThat(proxy.getWriteLimitBytesPerSecond()).isEqualTo(1000);
    assertThat(proxy.getWriteLimitBytesPerDay()).isEqualTo(2000);
    assertThat(proxy.getShadowCandidates()).containsExactly("live@20%", "paper*2");
    assertThat(proxy.getShadowSamplePercent()).isEqualTo(50);
  }

  @Test
  void shouldCarryOutEachOperation() {
    proxy.takeOutOfService("for a test");
    assertThat(proxy.isInService()).isFalse();
    assertThat(cache.control().health().state()).isEqualTo(CacheHealth.State.OUT_OF_SERVICE);
    proxy.returnToService();
    assertThat(proxy.isInService()).isTrue();
    proxy.startTuning(1, 50, 100);
    assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.EXPLORING);
    proxy.stopTuning();
    assertThat(proxy.getTuning()).startsWith("OFF");
    proxy.resetShadows();
    assertThatThrownBy(() -> proxy.startTuning(50, 1, 100))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldReadAndSetSeveralAndLeaveOutTheOthers() throws Exception {
    AttributeList read = server.getAttributes(name, new String[] {"Hits", "None", "Blocks"});
    assertThat(read.asList()).extracting(Attribute::getName).containsExactly("Hits", "Blocks");
    AttributeList asked = new AttributeList();
    asked.add(new Attribute("FullTargetPercent", 50.0));
    asked.add(new Attribute("Hits", 5L));
    asked.add(new Attribute("FullTargetPercent", 500.0));
    assertThat(server.setAttributes(name, asked).asList())
        .containsExactly(new Attribute("FullTargetPercent", 50.0));
  }

  @Test
  void shouldSayWhatIsWrongAsOtherBeansDo() {
    assertThatThrownBy(() -> server.getAttribute(name, "None"))
        .isInstanceOf(AttributeNotFoundException.class);
    assertThatThrownBy(() -> set("None", 1L)).isInstanceOf(AttributeNotFoundException.class);
    assertThatThrownBy(() -> set("Hits", 1L)).isInstanceOf(AttributeNotFoundException.class);
    for (Object wrong : new Object[] {1, "1", null, new long[1]}) {
      assertThatThrownBy(() -> set("MaxPinnedBytes", wrong))
          .isInstanceOf(InvalidAttributeValueException.class);
    }
    assertThatThrownBy(() -> call("none")).isInstanceOf(ReflectionException.class);
    assertThatThrownBy(() -> call("stopTuning", "java.lang.String"))
        .isInstanceOf(ReflectionException.class);
    assertThatThrownBy(() -> call("startTuning", "double", "double", "long"))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                server.invoke(
                    name,
                    "startTuning",
                    new Object[] {1.0, null, 1L},
                    new String[] {"double", "double", "long"}))
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mostPercent is null");
  }

  private void set(String attribute, Object value) throws Exception {
    server.setAttribute(name, new Attribute(attribute, value));
  }

  /** Without arguments, whatever its types. */
  private void call(String operation, String... types) throws Exception {
    server.invoke(name, operation, new Object[0], types);
  }
}
