// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.EvictionPolicy;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/reference/configuration.md with the code: each preset and each eviction policy has
 * one row under its heading, and what is gone has none. Settings and attributes are on generated
 * pages.
 */
final class ConfigurationDocTest {
  private static final Path DOC = Path.of("..", "docs", "reference", "configuration.md");
  private static final Path EVICTIONS = Path.of("src/main/java/io/nvcache/eviction");

  /** The first cells under a heading that are code, up to a call or a reference. */
  private static Set<String> rowsUnder(String heading) throws IOException {
    Set<String> rows = new TreeSet<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOC)) {
      if (line.startsWith("#")) {
        inside = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (inside && line.startsWith("| `")) {
        String name = line.replaceFirst("^\\| `(\\w+).*$", "$1");
        assertThat(rows.add(name)).as("one row of %s", name).isTrue();
      }
    }
    return rows;
  }

  @Test
  void shouldListTheAdmissionPresets() throws IOException {
    assertThat(rowsUnder("Choosing admission"))
        .isNotEmpty()
        .isEqualTo(
            Arrays.stream(AdmissionPresets.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.getReturnType() == AdmissionFactory.class)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void shouldListTheEvictionPolicies() throws IOException {
    Set<String> policies = new TreeSet<>();
    try (Stream<Path> files = Files.list(EVICTIONS)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (Files.readString(file).contains("public final class " + name)
            && isPolicy("io.nvcache.eviction." + name)) {
          policies.add(name);
        }
      }
    }
    assertThat(rowsUnder("Choosing eviction")).isNotEmpty().isEqualTo(policies);
  }

  private static boolean isPolicy(String name) {
    try {
      return EvictionPolicy.class.isAssignableFrom(Class.forName(name));
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
