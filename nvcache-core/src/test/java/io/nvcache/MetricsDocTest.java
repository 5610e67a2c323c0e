// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import io.nvcache.micrometer.NvCacheMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/reference/generated/metrics.md with the attributes and meters of a cache. To write
 * it again: {@code -Dnvcache.docs.write=true}.
 */
final class MetricsDocTest {
  private static final Path DOC = Path.of("..", "docs", "reference", "generated", "metrics.md");

  private static final String HEAD =
      """
      # Attributes and meters

      Generated from the tables of the code by `MetricsDocTest`;
      [configuration](../configuration.md#jmx) says how to register them.
      Counts start when the cache is built, and are in blocks where no unit is named.

      - [MBean attributes](#mbean-attributes), [MBean operations](#mbean-operations), [meters](#meters)

      ## MBean attributes

      | attribute | meaning |
      |---|---|
      """;

  private static final String OPERATIONS =
      """

      ## MBean operations

      Each call is logged at INFO with its author, and sent as an `io.nvcache.operation` notification; a refused one
      is logged at WARN and throws.

      | operation | effect |
      |---|---|
      """;

  private static final String METERS =
      """

      ## Meters

      All have the tag `cache`, whose value is the name of the cache.

      | meter | type | unit | further tag | meaning |
      |---|---|---|---|---|
      """;

  @Test
  void shouldListAllAttributesAndMeters() throws Exception {
    String page;
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(4096)
            .maintainedByCaller()
            .shadows(0, "live@20%")
            .build()) {
      page =
          HEAD
              + rows(cache, MBeanInfo::getAttributes, MetricsDocTest::row)
              + OPERATIONS
              + rows(cache, MBeanInfo::getOperations, MetricsDocTest::row)
              + METERS
              + meters(cache);
    }
    if (Boolean.getBoolean("nvcache.docs.write")) {
      Files.createDirectories(DOC.getParent());
      Files.writeString(DOC, page);
    }
    assertThat(DOC).hasContent(page);
  }

  /** Returns a row for each feature of the cache's bean that is asked for, sorted. */
  private static <T> String rows(
      BlockCache cache, Function<MBeanInfo, T[]> features, Function<T, String> row)
      throws Exception {
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    try (NvCacheMBeanRegistration bean = NvCacheMBeanRegistration.register(cache, "doc", server)) {
      return Arrays.stream(features.apply(server.getMBeanInfo(bean.objectName())))
          .map(row)
          .sorted()
          .collect(joining());
    }
  }

  private static String row(MBeanOperationInfo operation) {
    return Arrays.stream(operation.getSignature())
            .map(MBeanParameterInfo::getName)
            .collect(joining(", ", "| `" + operation.getName() + "(", ")` | "))
        + operation.getDescription()
        + " |\n";
  }

  private static String row(MBeanAttributeInfo attribute) {
    return "| `" + attribute.getName() + "` | " + attribute.getDescription() + " |\n";
  }

  private static String meters(BlockCache cache) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    NvCacheMetrics.monitor(registry, cache, "doc");
    return registry.getMeters().stream()
        .map(Meter::getId)
        .collect(groupingBy(Meter.Id::getName, TreeMap::new, toList()))
        .values()
        .stream()
        .map(MetricsDocTest::row)
        .collect(joining());
  }

  /** Returns the row of all meters of one name. */
  private static String row(List<Meter.Id> ids) {
    Meter.Id first = ids.get(0);
    String values =
        ids.stream()
            .flatMap(id -> id.getTags().stream())
            .filter(tag -> !tag.getKey().equals("cache"))
            .map(Tag::getValue)
            .sorted()
            .map(value -> "`" + value + "`")
            .collect(joining(", "));
    String key =
        first.getTags().stream()
            .map(Tag::getKey)
            .filter(name -> !name.equals("cache"))
            .collect(joining());
    return "| `%s` | %s | %s | %s | %s |\n"
        .formatted(
            first.getName(),
            first.getType().name().toLowerCase(Locale.ROOT),
            Objects.requireNonNullElse(first.getBaseUnit(), ""),
            key.isEmpty() ? "" : "`" + key + "`: " + values,
            first.getDescription());
  }
}
