// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.micrometer.NvCacheMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.Descriptor;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pins the names, types and descriptions that operators have in their dashboards, alerts and
 * scripts. They are in names.txt: a line that is new is added there, by hand or by a run with
 * {@code -Dnvcache.test.writeNames=true}, and none is ever changed.
 */
final class NamesTest {
  private static final Path NAMES = Path.of("src/test/resources/io/nvcache/jmx/names.txt");

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(4096)
          .maintainedByCaller()
          .shadows(0, "live@20%")
          .build();
  private final NvCacheMBeanRegistration registration =
      NvCacheMBeanRegistration.register(cache, "names", server);

  @AfterEach
  void close() {
    registration.close();
    cache.close();
  }

  @Test
  void shouldKeepEachNameTypeAndDescription() throws Exception {
    List<String> now =
        Stream.of(attributes(), operations(), entries(), meters()).flatMap(s -> s).toList();
    if (Boolean.getBoolean("nvcache.test.writeNames")) {
      Files.write(NAMES, now);
    }
    assertThat(now).containsExactlyElementsOf(read());
  }

  private static List<String> read() {
    try {
      return Files.readAllLines(NAMES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MBeanInfo info() throws JMException {
    return server.getMBeanInfo(registration.objectName());
  }

  private Stream<String> attributes() throws JMException {
    return Arrays.stream(info().getAttributes()).map(NamesTest::line).sorted();
  }

  private static String line(MBeanAttributeInfo attribute) {
    Descriptor descriptor = attribute.getDescriptor();
    return String.join(
        " | ",
        "attribute " + attribute.getName(),
        attribute.getType()
            + (attribute.isReadable() ? " r" : "")
            + (attribute.isWritable() ? " w" : "")
            + (attribute.isIs() ? " is" : ""),
        descriptor.getFieldValue("openType").toString(),
        descriptor.getFieldValue("originalType").toString(),
        attribute.getDescription());
  }

  private Stream<String> operations() throws JMException {
    return Arrays.stream(info().getOperations()).map(NamesTest::line).sorted();
  }

  private static String line(MBeanOperationInfo operation) {
    return "operation "
        + operation.getName()
        + Arrays.stream(operation.getSignature())
            .map(p -> p.getType() + " " + p.getName() + ": " + p.getDescription())
            .collect(Collectors.joining("; ", "(", ")"))
        + " | "
        + operation.getReturnType()
        + " | "
        + operation.getDescription();
  }

  private Stream<String> entries() {
    return cache.control().ledger().entries().keySet().stream().map(name -> "entry " + name);
  }

  private Stream<String> meters() {
    try (NvCacheMetrics metrics = new NvCacheMetrics(cache, "names", List.of())) {
      metrics.withCacheMeters().bindTo(registry);
      return registry.getMeters().stream().map(NamesTest::line).sorted().toList().stream();
    }
  }

  private static String line(Meter meter) {
    Meter.Id id = meter.getId();
    return String.join(
        " | ",
        "meter "
            + id.getName()
            + id.getTags().stream()
                .filter(tag -> !tag.getKey().equals("cache"))
                .sorted()
                .map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(", ", "{", "}")),
        meter.getClass().getSimpleName(),
        String.valueOf(id.getBaseUnit()),
        String.valueOf(id.getDescription()));
  }

  /** A client compiled against the interface reads every attribute that was there. */
  @Test
  void shouldAnswerEachGetterOfATypedProxy() throws Exception {
    NvCacheMXBean proxy =
        JMX.newMXBeanProxy(server, registration.objectName(), NvCacheMXBean.class);
    int read = 0;
    for (Method method : NvCacheMXBean.class.getMethods()) {
      if (method.getParameterCount() == 0 && method.getReturnType() != void.class) {
        assertThat(method.invoke(proxy)).as(method.getName()).isNotNull();
        read++;
      }
    }
    assertThat(read).isEqualTo(94); // And none has gone.
    assertThat(server.isInstanceOf(registration.objectName(), NvCacheMXBean.class.getName()))
        .isTrue();
  }
}
