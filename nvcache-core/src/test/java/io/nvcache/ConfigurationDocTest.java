// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.LiveSetting;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import io.nvcache.tiered.TieredBlockCacheBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/reference/configuration.md to the code: all that can be set or watched has one row
 * under its heading, and what is gone has none.
 */
final class ConfigurationDocTest {
  private static final Path DOC = Path.of("..", "docs", "reference", "configuration.md");

  private static final Map<String, String> LONG_DEFAULTS =
      Map.of(
          "maxPinnedBytes",
          "1/8 of the capacity",
          "smallBypassDramBytes",
          "0",
          "writeLimitBytesPerSecond",
          "0",
          "writeLimitBytesPerDay",
          "0");

  private BlockCache cache;

  /** A row of a table, by the code in its first cell. */
  private record Row(String name, List<String> cells) {
    static Row parse(String line) {
      List<String> cells = Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList();
      return new Row(cells.get(0).replaceAll("^`([\\w.]+).*$", "$1"), cells);
    }
  }

  @BeforeEach
  void build() {
    cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(4096)
            .maintainedByCaller()
            .shadows(0, "live@20%")
            .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  /** The rows under a heading, as far as the next heading, whose first cell is code. */
  private static Map<String, Row> rowsUnder(String heading) throws IOException {
    Map<String, Row> rows = new HashMap<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOC)) {
      if (line.startsWith("#")) {
        inside = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (inside && line.startsWith("| `")) {
        Row row = Row.parse(line);
        assertThat(rows.put(row.name, row)).as("second row of %s", row.name).isNull();
      }
    }
    return rows;
  }

  private static Collection<Row> rows(String heading) {
    try {
      return rowsUnder(heading).values();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertListed(String heading, Stream<String> names) throws IOException {
    Set<String> expected = names.collect(toCollection(TreeSet::new));
    assertThat(expected).isNotEmpty();
    assertThat(new TreeSet<>(rowsUnder(heading).keySet())).as(heading).isEqualTo(expected);
  }

  private static Stream<String> publicMethods(Class<?> type, Class<?> returned) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == returned)
        .map(Method::getName);
  }

  @Test
  void shouldListTheOptionsOfTheBlockCache() throws IOException {
    assertListed(
        "Block cache options", publicMethods(BlockCacheBuilder.class, BlockCacheBuilder.class));
  }

  @Test
  void shouldListTheOptionsOfTheTieredCache() throws IOException {
    assertListed(
        "Tiered cache options",
        publicMethods(TieredBlockCacheBuilder.class, TieredBlockCacheBuilder.class));
  }

  @Test
  void shouldListTheAdmissionPresets() throws IOException {
    assertListed(
        "Admission presets", publicMethods(AdmissionPresets.class, AdmissionFactory.class));
  }

  @Test
  void shouldListTheLiveSettingsWithTheirDefaults() throws Exception {
    assertListed(
        "Live settings", Arrays.stream(LiveSetting.values()).map(LiveSetting::settingName));

    Map<String, Row> rows = rowsUnder("Live settings");
    for (LiveSetting setting : LiveSetting.values()) {
      List<String> cells = rows.get(setting.settingName()).cells;
      assertThat(cells.get(1))
          .as("default of %s", setting)
          .isEqualTo(inWords(setting.settingName(), setting.standard()));
      assertThat(cells.get(3))
          .as("unit of %s", setting)
          .startsWith(setting.isRatio() ? "ratio" : setting.isDuration() ? "duration" : "bytes");
      assertThat(cells.get(4))
          .as("attribute of %s", setting)
          .isEqualTo("`" + setting.attribute() + "`");
    }
  }

  private static String inWords(String setting, Object defaultValue) {
    if (defaultValue instanceof Duration duration) {
      return duration.toSeconds() + " s";
    }
    return defaultValue instanceof Double ? defaultValue.toString() : LONG_DEFAULTS.get(setting);
  }

  @Test
  void shouldNameTheAttributeOfEachLiveSetting() throws Exception {
    List<String> named =
        Stream.of("Live settings", "Shadow settings")
            .flatMap(heading -> rows(heading).stream())
            .map(row -> row.cells.get(4))
            .toList();
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            attributes(MBeanAttributeInfo::isWritable).map(name -> "`" + name + "`").toList());
  }

  @Test
  void shouldListTheOperationsOfTheMBeanWithTheirParameters() throws Exception {
    assertListed(
        "MBean operations", Arrays.stream(bean().getOperations()).map(MBeanOperationInfo::getName));
    for (MBeanOperationInfo operation : bean().getOperations()) {
      String call =
          Arrays.stream(operation.getSignature())
              .map(MBeanParameterInfo::getName)
              .collect(joining(", ", "`" + operation.getName() + "(", ")`"));
      assertThat(rowsUnder("MBean operations").get(operation.getName()).cells.get(0))
          .isEqualTo(call);
    }
  }

  private Stream<String> attributes(Predicate<MBeanAttributeInfo> which) throws JMException {
    return Arrays.stream(bean().getAttributes()).filter(which).map(MBeanAttributeInfo::getName);
  }

  private MBeanInfo bean() throws JMException {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    try (NvCacheMBeanRegistration registration =
        NvCacheMBeanRegistration.register(cache, "doc", server)) {
      return server.getMBeanInfo(registration.objectName());
    }
  }
}
