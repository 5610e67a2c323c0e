// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.control.Condition;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvCacheMBeanRegistrationTest {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final BlockCache cache =
      new ReferenceBlockCache(
          1000,
          0,
          candidate ->
              candidate.source() == Source.SCAN
                  ? AdmissionDecision.BYPASS_OVERHEAD
                  : AdmissionDecision.ADMIT);
  private NvCacheMBeanRegistration registration;

  @BeforeEach
  void fillAndRegister() {
    cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
    cache.offer(1, 100, ByteBuffer.allocate(150), Source.FLUSH);
    cache.offer(1, 300, ByteBuffer.allocate(50), Source.SCAN);
    ByteBuffer dst = ByteBuffer.allocate(200);
    cache.get(1, 0, dst);
    cache.get(1, 7, dst);
    cache.get(1, 7, dst);
    registration = NvCacheMBeanRegistration.register(cache, "test");
  }

  @AfterEach
  void close() {
    registration.close();
    cache.close();
  }

  private Object read(String attribute) throws Exception {
    return server.getAttribute(registration.objectName(), attribute);
  }

  private void write(String attribute, Object value) throws Exception {
    server.setAttribute(registration.objectName(), new Attribute(attribute, value));
  }

  private MBeanAttributeInfo[] attributes() throws Exception {
    return server.getMBeanInfo(registration.objectName()).getAttributes();
  }

  @ParameterizedTest
  @CsvSource({
    "Lookups, 3",
    "Hits, 1",
    "Misses, 2",
    "HitRatioPercent, 33.333333",
    "HitBytes, 100",
    "OffersAdmitted, 2",
    "OffersBypassedOverhead, 1",
    "OffersNoSpace, 0",
    "AdmittedBytes, 250",
    "WritesPerLookup, 0.6666666666666666",
    "OverheadPercent, NaN",
    "Blocks, 2",
    "UsedBytes, 250",
    "UsedPercent, 25.0",
    "CapacityBytes, 1000",
    "DataSetBytes, -1",
  })
  void shouldShowTheCountsOfTheCache(String attribute, String value) throws Exception {
    assertThat(read(attribute)).hasToString(value);
  }

  @Test
  void shouldShowEveryOutcomeOneByOneAndAsATable() throws Exception {
    TabularData byResult = (TabularData) read("OffersByResult");
    TabularData bySource = (TabularData) read("OffersBySource");

    assertThat(byResult.size()).isEqualTo(OfferResult.values().length);
    assertThat(byResult.get(new Object[] {"BYPASSED_OVERHEAD"}).get("value")).isEqualTo(1L);
    assertThat(bySource.get(new Object[] {"FLUSH"}).get("value")).isEqualTo(1L);
    for (OfferResult result : OfferResult.values()) {
      String camelCase =
          Pattern.compile("(?:^|_)(.)([^_]*)")
              .matcher(result.name())
              .replaceAll(word -> word.group(1) + word.group(2).toLowerCase(Locale.ROOT));
      assertThat(read("Offers" + camelCase))
          .isEqualTo(byResult.get(new Object[] {result.name()}).get("value"));
    }
  }

  @Test
  void shouldUseOpenTypesAndDescribeEachAttribute() throws Exception {
    assertThat(attributes()).hasSizeGreaterThan(40);
    for (MBeanAttributeInfo attribute : attributes()) {
      assertThat(attribute.getDescriptor().getFieldValue("openType")).isInstanceOf(OpenType.class);
      assertThat(attribute.getDescription()).as(attribute.getName()).endsWith(".");
      assertThat(attribute.getDescription().endsWith("Writable."))
          .as(attribute.getName())
          .isEqualTo(attribute.isWritable());
      assertThat(read(attribute.getName())).isNotNull();
    }
  }

  @Test
  void shouldNameEveryConditionInTheDescription() {
    for (Condition condition : Condition.values()) {
      assertThat(AttributeTable.byName().get("Conditions").description())
          .contains(condition.name());
    }
  }

  /** As the sources name them; consoles would show p0, p1 and p2. */
  @Test
  void shouldDescribeEachOperationAndItsParameters() throws Exception {
    List<String> signatures = new ArrayList<>();
    for (MBeanOperationInfo operation :
        server.getMBeanInfo(registration.objectName()).getOperations()) {
      List<String> parameters = new ArrayList<>();
      for (MBeanParameterInfo parameter : operation.getSignature()) {
        parameters.add(parameter.getName());
        assertThat(parameter.getDescription()).as(parameter.getName()).endsWith(".");
      }
      signatures.add(operation.getName() + parameters);
      assertThat(operation.getDescription()).as(operation.getName()).endsWith(".");
      assertThat(operation.getImpact()).isEqualTo(MBeanOperationInfo.ACTION);
    }
    assertThat(signatures)
        .containsExactlyInAnyOrder(
            "takeOutOfService[reason]",
            "returnToService[]",
            "startTuning[leastPercent, mostPercent, missMicros]",
            "stopTuning[]",
            "resetShadows[]");
  }

  @ParameterizedTest
  @CsvSource({
    "OverheadTargetPercent, 7.0, 1000.1, 1000",
    "OverheadTargetPercent, 0.0, NaN, 1000",
    "SmallBypassFractionPercent, 55.5, 0.0, at most 100",
    "FullTargetPercent, 80.0, 100.5, 1 to 100",
  })
  void shouldChangePercentagesInRangeOnly(String attribute, double good, double bad, String range)
      throws Exception {
    assertChangesInRangeOnly(attribute, good, bad, range);
  }

  @ParameterizedTest
  @CsvSource({
    "SmallBypassDramBytes, 8589934592, -1, 0 ",
    "MaxPinnedBytes, 4096, -1, 0 ",
    "WriteLimitBytesPerSecond, 1000000, -5, 0 ",
    "WriteLimitBytesPerDay, 1000000000, -5, 0 ",
    "EvictionWindowSeconds, 60, 0, 1 to 31536000",
    "EvictionWindowSeconds, 31536000, 9223372036854775807, 1 to 31536000",
  })
  void shouldChangeCountsInRangeOnly(String attribute, long good, long bad, String range)
      throws Exception {
    assertChangesInRangeOnly(attribute, good, bad, range);
  }

  private void assertChangesInRangeOnly(String attribute, Object good, Object bad, String range)
      throws Exception {
    Object old = read(attribute);
    String log = CapturedLog.of(() -> write(attribute, good));
    assertThat(read(attribute)).isEqualTo(good);
    assertThat(log).contains(attribute + " changed from " + old + " to " + good);

    RuntimeMBeanException refused =
        catchThrowableOfType(RuntimeMBeanException.class, () -> write(attribute, bad));
    assertThat(refused.getCause())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(attribute)
        .hasMessageContaining(bad.toString())
        .hasMessageContaining(range);
    assertThat(read(attribute)).isEqualTo(good);
  }

  @Test
  void shouldBeUsableThroughAProxy() {
    NvCacheMXBean bean = JMX.newMXBeanProxy(server, registration.objectName(), NvCacheMXBean.class);
    bean.setOverheadTargetPercent(25);

    assertThat(bean.getOverheadTargetPercent()).isEqualTo(25);
    assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.25);
    assertThat(bean.getOffersByResult()).containsEntry("ADMITTED", 2L);
  }

  @Test
  void shouldQuoteNamesThatNeedIt() throws Exception {
    String name = "a=b,c:\"d\"*?";
    try (NvCacheMBeanRegistration quoted = NvCacheMBeanRegistration.register(cache, name)) {
      assertThat(ObjectName.unquote(quoted.objectName().getKeyProperty("name"))).isEqualTo(name);
      assertThat(server.isRegistered(quoted.objectName())).isTrue();
    }
    assertThat(registration.objectName()).hasToString("io.nvcache:type=BlockCache,name=test");
    assertThatThrownBy(() -> NvCacheMBeanRegistration.register(cache, " "))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseASecondCacheOfTheSameName() {
    try (BlockCache other = new ReferenceBlockCache()) {
      assertThatThrownBy(() -> NvCacheMBeanRegistration.register(other, "test"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("name=test");
      registration.close();
      registration.close();
      assertThat(server.isRegistered(registration.objectName())).isFalse();

      NvCacheMBeanRegistration next = NvCacheMBeanRegistration.register(other, "test");
      registration.close(); // the name isn't its own any more
      assertThat(server.isRegistered(next.objectName())).isTrue();
      next.close();
    }
  }

  @Test
  void shouldNotKeepADroppedCacheAlive() throws Exception {
    List<ObjectName> names = new ArrayList<>();
    WeakReference<BlockCache> dropped = registerAndDrop("dropped", names);
    while (dropped.get() != null) {
      System.gc();
    }
    assertThatThrownBy(() -> server.getAttribute(names.get(0), "Hits"))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(server.isRegistered(names.get(0))).isFalse();
  }

  @Test
  void shouldGiveTheNameOfADroppedCacheToTheNextOne() {
    WeakReference<BlockCache> dropped = registerAndDrop("reused", new ArrayList<>());
    while (dropped.get() != null) {
      System.gc();
    }
    try (NvCacheMBeanRegistration next = NvCacheMBeanRegistration.register(cache, "reused")) {
      assertThat(server.isRegistered(next.objectName())).isTrue();
    }
  }

  @SuppressWarnings("MustBeClosedChecker")
  private static WeakReference<BlockCache> registerAndDrop(String name, List<ObjectName> names) {
    BlockCache cache = new ReferenceBlockCache();
    names.add(NvCacheMBeanRegistration.register(cache, name).objectName());
    return new WeakReference<>(cache);
  }
}
