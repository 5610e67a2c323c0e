// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrefetchedFilesTest {
  private static final int MANY = 20_000;

  @TempDir private Path directory;

  private final Map<String, Long> cached = new HashMap<>();
  private final AtomicBoolean restoring = new AtomicBoolean();

  private Path log() {
    return directory.resolve("flash.whole");
  }

  private PrefetchedFiles files() {
    return new PrefetchedFiles(
        name -> cached.getOrDefault(name, 0L), restoring::get, WholeFileLog.at(log()));
  }

  private void add(PrefetchedFiles files, String name) {
    cached.put(name, 10L);
    files.add(name, "region", 10, 1000);
  }

  /** As those that were compacted: HBase asks of none of them any more. */
  @Test
  void shouldForgetFilesThatLeft() throws Exception {
    PrefetchedFiles files = files();
    add(files, "stays");
    for (int i = 0; i < MANY; i++) {
      add(files, "leaves" + i);
      cached.remove("leaves" + i);
    }

    assertThat(files.isWhole("stays")).isTrue();
    assertThat(Files.readAllLines(log())).hasSizeLessThan(MANY / 4);
    assertThat(files().whole()).containsOnlyKeys("stays");
  }

  @Test
  void shouldKeepFilesThatAreWhole() throws Exception {
    PrefetchedFiles files = files();
    for (int i = 0; i < MANY; i++) {
      add(files, "stays" + i);
    }

    assertThat(files.whole()).hasSize(MANY);
    assertThat(files().whole()).hasSize(MANY);
  }

  /** Their blocks come back one after the other. */
  @Test
  void shouldForgetNone_WhileBlocksAreRestored() {
    restoring.set(true);
    PrefetchedFiles files = files();
    for (int i = 0; i < MANY; i++) {
      add(files, "comes" + i);
      cached.remove("comes" + i);
    }
    assertThat(files.whole()).isEmpty();

    cached.put("comes7", 10L);
    restoring.set(false);

    assertThat(files.isWhole("comes7")).isTrue();
    assertThat(files.whole()).containsOnlyKeys("comes7");
  }
}
