// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreFileNamesTest {
  /** One more than are kept in any case. */
  private static final int MANY = StoreFileNames.MIN_NAMES_BEFORE_PURGE + 1;

  private final BlockCache cache = BlockCache.builder().nativeMemory(1 << 20).build();
  private final StoreFileNames names = new StoreFileNames(cache, new FileIdRegistry());

  @AfterEach
  void close() {
    cache.close();
  }

  private void askFor(int files, String prefix) {
    for (int file = 0; file < files; file++) {
      names.idOf(prefix + file);
    }
    names.purgeIfGrown();
  }

  @Test
  void shouldDropNamesWithoutBlocks() {
    askFor(MANY, "old");
    assertThat(names.size()).isZero();
  }

  @Test
  void shouldKeepTheIdOfAFileThatIsHeld() {
    Object holder = new Object();
    long fileId = names.hold("out", holder);
    askFor(MANY, "old");
    assertThat(names.size()).isEqualTo(1);
    assertThat(names.hold("out", holder)).isEqualTo(fileId);
  }

  @Test
  void shouldDropItOnceItIsReleased() {
    Object holder = new Object();
    Object other = new Object();
    long fileId = names.hold("out", holder);
    names.hold("out", other);
    names.release(holder);
    askFor(MANY, "old");
    assertThat(names.isCurrent("out", fileId)).as("by the other holder").isTrue();
    names.release(other);
    askFor(MANY, "older");
    assertThat(names.isCurrent("out", fileId)).isFalse();
  }
}
