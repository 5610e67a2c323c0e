// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.PolicyPreset;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.settings.TableFilter;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.control.LiveSetting;
import io.nvcache.host.ReasonCounts;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the pages about Cassandra's settings and bypasses with the code. */
class CassandraDocTest {
  private static final Path DOC = Path.of("..", "..", "docs", "reference", "cassandra.md");

  private static final Path SETTINGS =
      Path.of("..", "..", "docs", "reference", "generated", "settings.md");

  private static Set<String> firstCells(Path page, String pattern) throws Exception {
    Matcher rows =
        Pattern.compile("^\\| `(" + pattern + ")` \\|", Pattern.MULTILINE)
            .matcher(Files.readString(page));
    return rows.results().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldListEachSettingAndNoOther() throws Exception {
    Set<String> keys = new TreeSet<>();
    for (Field field : NodeSettings.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && !Modifier.isPrivate(field.getModifiers())
          && field.getType() == String.class) {
        field.setAccessible(true);
        keys.add((String) field.get(null));
      }
    }
    Field live = NodeSettings.class.getDeclaredField("LIVE");
    live.setAccessible(true);
    for (Object setting : (Set<?>) live.get(null)) {
      keys.add("nvcache." + ((LiveSetting) setting).key());
    }
    assertThat(keys).hasSizeGreaterThan(10);
    assertThat(firstCells(SETTINGS, "nvcache[a-z.]+")).isEqualTo(keys);
  }

  @Test
  void shouldExplainEachBypassAndNoOther() throws Exception {
    assertThat(firstCells(DOC, "[a-z]+(?:-[a-z]+)*"))
        .isEqualTo(
            Arrays.stream(Bypass.values())
                .map(ReasonCounts::name)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void shouldNameEachPresetAndTheKeyspacesLeftOut() throws Exception {
    String doc = Files.readString(SETTINGS);
    for (PolicyPreset preset : PolicyPreset.values()) {
      assertThat(doc).contains("`" + preset.label() + "`");
    }
    for (String keyspace : TableFilter.CASSANDRAS_OWN) {
      assertThat(doc).contains("`" + keyspace + "`");
    }
  }
}
