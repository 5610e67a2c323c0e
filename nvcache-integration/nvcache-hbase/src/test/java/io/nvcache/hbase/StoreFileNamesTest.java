// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.hbase.files.StoreFileNames;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StoreFileNamesTest {
  /** One more than are kept in any case. */
  private static final int MANY = StoreFileNames.MIN_NAMES_BEFORE_PURGE + 1;

  private final BlockCache cache = BlockCache.builder().nativeMemory(1 << 20).build();
  private final FileIdRegistry ids = new FileIdRegistry();
  private final StoreFileNames names =
      new StoreFileNames(cache, ids, name -> name.startsWith("served"));

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

  /** Their lookups are known by the ids. */
  @Test
  void shouldKeepTheIdsOfServedFiles() {
    askFor(MANY, "served");
    OptionalLong one = names.find("served0");
    assertThat(one).isPresent();

    askFor(10 * MANY, "old");

    assertThat(names.size()).isEqualTo(MANY);
    assertThat(names.find("served0")).isEqualTo(one);
    askFor(MANY, "older");
    assertThat(names.size()).as("no purge before they have doubled").isEqualTo(2 * MANY);
  }

  /** HBase asks with each heartbeat how much of each region is cached. */
  @Test
  void shouldGiveNoIdToAFileForAHeartbeat() {
    NvHBaseBlockCache hbase = new NvHBaseBlockCache(cache, ids);
    for (int file = 0; file < MANY; file++) {
      hbase.filesOf("region").compacted(hbase, List.of(), StoreFiles.named("/region/f/" + file));
    }
    assertThat(hbase.getRegionCachedInfo().orElseThrow()).isEmpty();
    assertThat(names.size()).isZero();
  }

  @Test
  @Timeout(60)
  void shouldNotWaitForAnotherThreadThatPurges() throws Exception {
    CountDownLatch counting = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    StoreFileNames slow =
        new StoreFileNames(
            cache,
            ids,
            name -> {
              counting.countDown();
              await(goesOn);
              return false;
            });
    for (int file = 0; file < MANY; file++) {
      slow.idOf("old" + file);
    }
    Thread purging = new Thread(slow::purgeIfGrown);
    purging.start();
    counting.await();

    Thread asking = new Thread(slow::purgeIfGrown);
    asking.start();
    asking.join(20_000);
    boolean waits = asking.isAlive();
    goesOn.countDown();
    purging.join();
    assertThat(waits).isFalse();
    assertThat(slow.size()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
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
