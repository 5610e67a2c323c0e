// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.FileIdRegistry;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.hbase.files.StoreFileNames;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrefetchesTest {
  private static final int ENDS_A_PREFETCH = 9;

  /** Answers offers as it is asked to, and says that the medium is busy after that. */
  private static final class ScriptedCache extends ForwardingBlockCache {
    final Queue<OfferResult> answers = new ArrayDeque<>();
    int offers;

    ScriptedCache(BlockCache cache) {
      super(cache);
    }

    @Override
    public OfferResult offer(
        long fileId,
        long offset,
        int lengthBytes,
        Supplier<ByteBuffer> block,
        Source source,
        BlockRank rank) {
      offers++;
      OfferResult next = answers.poll();
      return next == null ? OfferResult.MEDIUM_BUSY : next;
    }
  }

  private final ScriptedCache cache =
      new ScriptedCache(BlockCache.builder().nativeMemory(1 << 20).build());
  private final Prefetches prefetches =
      new Prefetches(
          cache,
          new StoreFileNames(cache, new FileIdRegistry(), name -> true),
          WholeFileLog.none());

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer(String hfileName) {
    return prefetches.offer(hfileName, 1, 0, 1, () -> ByteBuffer.allocate(1), BlockRank.ORDINARY);
  }

  @Test
  void shouldOfferABlockAgain_WhileTheMediumIsBusy() {
    cache.answers.add(OfferResult.MEDIUM_BUSY);
    cache.answers.add(OfferResult.MEDIUM_BUSY);
    cache.answers.add(OfferResult.ADMITTED);

    assertThat(offer("file")).isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.offers).isEqualTo(3);
  }

  /** HBase 2.6.2 and later begin it all the same, and read from the first block that DRAM has. */
  @Test
  void shouldEndAPrefetchOfAFileThatIsCachedWhole(@TempDir Path directory) {
    WholeFileLog log = WholeFileLog.at(directory.resolve("whole"));
    WholeFileLog.Entry entry = new WholeFileLog.Entry("whole", "region", 0, 5);
    log.add(entry, List.of(entry));
    Prefetches knowing =
        new Prefetches(cache, new StoreFileNames(cache, new FileIdRegistry(), name -> true), log);
    cache.answers.add(OfferResult.ADMITTED);
    knowing.offer("another", 1, 0, 1, () -> ByteBuffer.allocate(1), BlockRank.ORDINARY);
    assertThat(knowing.goesOn()).isTrue();
    cache.answers.add(OfferResult.ALREADY_CACHED);
    knowing.offer("whole", 1, 0, 1, () -> ByteBuffer.allocate(1), BlockRank.ORDINARY);
    assertThat(knowing.goesOn()).isFalse();
    knowing.completed(new org.apache.hadoop.fs.Path("/region/family/whole"), 1);
    assertThat(knowing.wholeFiles().get("whole").getSecond()).isEqualTo(5);
  }

  /** HBase goes on with the prefetch of an IN_MEMORY family, whatever comes of it. */
  @Test
  void shouldNotWaitForABusyMedium_AfterTooManyRefusals() {
    for (int i = 0; i < ENDS_A_PREFETCH; i++) {
      cache.answers.add(OfferResult.NOT_WORTH_IT);
      offer("file");
    }
    cache.offers = 0;

    assertThat(offer("file")).isEqualTo(OfferResult.MEDIUM_BUSY);
    assertThat(cache.offers).isEqualTo(1);

    cache.answers.add(OfferResult.MEDIUM_BUSY);
    cache.answers.add(OfferResult.ADMITTED);
    assertThat(offer("another")).as("of another file").isEqualTo(OfferResult.ADMITTED);
  }
}
