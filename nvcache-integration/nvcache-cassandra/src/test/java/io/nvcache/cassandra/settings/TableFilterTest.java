// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableFilterTest {
  private static final String ID = "-5a1c395ec76e11eda2a9b1b3a1b0d6f5";

  @ParameterizedTest
  @CsvSource({
    "'', '', ks, t, true",
    "'', ks, ks, t, false",
    "'', ks.t, ks, t, false",
    "'', ks.t, ks, u, true",
    "ks, '', ks, t, true",
    "ks, '', other, t, false",
    "ks.t, '', ks, t, true",
    "ks.t, '', ks, u, false",
    "ks, ks.t, ks, t, false",
  })
  void shouldIncludeAndExcludeKeyspacesAndTables(
      String include, String exclude, String keyspace, String table, boolean cached) {
    TableFilter filter = new TableFilter(names(include), names(exclude));
    String folder = "/data/" + keyspace + "/" + table + ID;
    assertThat(filter.matches(folder + "/nb-1-big-Data.db")).isEqualTo(cached);
    assertThat(filter.matches(folder + "/.by_name/nb-1-big-Data.db")).isEqualTo(cached);
  }

  @ParameterizedTest
  @CsvSource({"nb-1-big-Data.db", "/nb-1-big-Data.db", "/a/b/nb-1-big-Data.db", "/t-1/nb-Data.db"})
  void shouldLeaveFilesAloneThatLieElsewhere(String path) {
    assertThat(new TableFilter(Set.of(), Set.of()).matches(path)).isFalse();
  }

  private static Set<String> names(String name) {
    return name.isEmpty() ? Set.of() : Set.of(name);
  }
}
