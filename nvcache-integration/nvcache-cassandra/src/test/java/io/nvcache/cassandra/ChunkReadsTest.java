// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkReadsTest {
  private static final int CHUNK = 4096;
  private static final int FILE_BYTES = 10 * CHUNK + 100;

  private final byte[] onDisk = new byte[FILE_BYTES];
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(16 << 20)
          .policies(PolicyPreset.ADMIT_ALL)
          .smallBypassDramBytes(0)
          .maintainedByCaller()
          .build();
  private boolean compacting;
  private final Tier tier = new Tier(thread -> compacting);

  ChunkReadsTest() {
    new Random(1).nextBytes(onDisk);
    tier.start(cache);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private ChunkReads open(Object key) {
    return new ChunkReads(tier, tier.opened(key, FILE_BYTES), CHUNK);
  }

  /** Reads as the woven channel does; true if the file was not touched. */
  private boolean read(ChunkReads file, long position, ByteBuffer dst) {
    int start = dst.position();
    int served = file.read(dst, position);
    if (served != 0) {
      assertThat(dst.position()).isEqualTo(start + served);
      return true;
    }
    assertThat(dst.position()).isEqualTo(start);
    int bytes = (int) Math.min(dst.remaining(), FILE_BYTES - position);
    dst.put(onDisk, (int) position, bytes);
    file.missed(dst, position, bytes);
    assertThat(dst.position()).isEqualTo(start + bytes);
    return false;
  }

  private boolean readsRight(ChunkReads file, long position, int length) {
    ByteBuffer dst = ByteBuffer.allocateDirect(length + 7).position(3).limit(3 + length);
    boolean served = read(file, position, dst);
    int bytes = (int) Math.min(length, FILE_BYTES - position);
    byte[] found = new byte[bytes];
    dst.flip().position(3).get(found);
    assertThat(found).isEqualTo(Arrays.copyOfRange(onDisk, (int) position, (int) position + bytes));
    return served;
  }

  @Test
  void shouldServeTheSecondReadOfAChunk() {
    ChunkReads file = open("a");
    for (int chunk = 0; chunk < 10; chunk++) {
      assertThat(readsRight(file, (long) chunk * CHUNK, CHUNK)).isFalse();
      assertThat(readsRight(file, (long) chunk * CHUNK, CHUNK)).isTrue();
    }
  }

  @Test
  void shouldServeBothHeapAndDirectBuffers() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    ByteBuffer heap = ByteBuffer.allocate(CHUNK);
    assertThat(read(file, 0, heap)).isTrue();
    assertThat(heap.array()).isEqualTo(Arrays.copyOf(onDisk, CHUNK));
  }

  @Test
  void shouldServeTheEndOfTheFileThatIsShorterThanTheBuffer() {
    ChunkReads file = open("a");
    assertThat(readsRight(file, 10 * CHUNK, CHUNK)).isFalse();
    assertThat(readsRight(file, 10 * CHUNK, CHUNK)).isTrue();
    assertThat(file.read(ByteBuffer.allocate(CHUNK), FILE_BYTES)).isZero();
    assertThat(file.read(ByteBuffer.allocate(CHUNK), FILE_BYTES + 1)).isZero();
    assertThat(file.read(ByteBuffer.allocate(0), 0)).isZero();
  }

  @Test
  void shouldServeAChunkWithoutTheChecksumBehindItAndReplaceOneThatIsTooShort() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    assertThat(readsRight(file, 0, CHUNK - 4)).isTrue();
    assertThat(readsRight(file, 0, CHUNK + 4)).isFalse();
    assertThat(tier.bypasses().of(Bypass.CACHED_TOO_SHORT)).isEqualTo(1);
    assertThat(readsRight(file, 0, CHUNK + 4)).isTrue();
    assertThat(readsRight(file, 0, CHUNK)).isTrue();
  }

  @Test
  void shouldGrowItsBufferForALongerChunkThanExpected() {
    ChunkReads file = open("a");
    readsRight(file, 0, 2 * CHUNK);
    assertThat(readsRight(file, 0, 16)).isTrue();
  }

  @Test
  void shouldLeaveReadsOfSeveralChunksToTheFile() {
    ChunkReads file = open("a");
    assertThat(readsRight(file, 0, 3 * CHUNK)).isFalse();
    assertThat(readsRight(file, 0, 3 * CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.SCAN_READ_AHEAD)).isEqualTo(2);
    assertThat(cache.stats().lookups()).isZero();
  }

  @Test
  void shouldNotCacheWhatAReadReturnedOnlyInPart() {
    ChunkReads file = open("a");
    ByteBuffer dst = ByteBuffer.allocate(CHUNK).put(onDisk, 0, 100);
    file.missed(dst, 0, 100);
    assertThat(tier.bypasses().of(Bypass.SHORT_READ)).isEqualTo(1);
    assertThat(readsRight(file, 0, CHUNK)).isFalse();
  }

  @Test
  void shouldServeCompactionsButNotCacheWhatTheyRead() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    compacting = true;
    assertThat(readsRight(file, 0, CHUNK)).isTrue();
    assertThat(readsRight(file, CHUNK, CHUNK)).isFalse();
    assertThat(readsRight(file, CHUNK, CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.COMPACTION_READ)).isEqualTo(2);
  }

  @Test
  void shouldReadTheFileWhenTheChecksumDoesNotMatch() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    long id = tier.opened("a", FILE_BYTES).id();
    ByteBuffer block = ByteBuffer.allocate(CHUNK + 4);
    cache.get(id, 0, block);
    cache.invalidate(id, 0);
    block.flip().put(17, (byte) ~block.get(17));
    cache.offer(id, 0, block, Source.READ);
    assertThat(readsRight(file, 0, CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.CHECKSUM_MISMATCH)).isEqualTo(1);
    assertThat(readsRight(file, 0, CHUNK)).isTrue();
  }

  @Test
  void shouldNotTakeAnIntactChunkOfAnotherPlaceForThisOne() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    long id = tier.opened("a", FILE_BYTES).id();
    ByteBuffer block = ByteBuffer.allocate(CHUNK + 4);
    cache.get(id, 0, block);
    cache.offer(id, CHUNK, block.flip(), Source.READ);
    assertThat(readsRight(file, CHUNK, CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.CHECKSUM_MISMATCH)).isEqualTo(1);
  }

  @Test
  void shouldForgetAFileWhenItsLastHandleIsReleased() {
    ChunkReads early = open("a");
    ChunkReads last = open("a");
    readsRight(early, 0, CHUNK);
    early.release();
    early.release();
    assertThat(readsRight(last, 0, CHUNK)).isTrue();
    assertThat(cache.stats().dataSetBytes()).isEqualTo(FILE_BYTES);
    last.release();
    assertThat(cache.stats().dataSetBytes()).isZero();
    assertThat(readsRight(last, 0, CHUNK)).isFalse();
    assertThat(readsRight(last, 0, CHUNK)).as("a read after the release").isFalse();
    assertThat(readsRight(open("a"), 0, CHUNK)).as("the same inode again").isFalse();
  }

  @Test
  void shouldForgetFilesThatAreClosedWhilePaused() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    tier.pause();
    assertThat(readsRight(file, 0, CHUNK)).isFalse();
    tier.resume();
    assertThat(readsRight(file, 0, CHUNK)).isTrue();
    tier.pause();
    file.release();
    cache.maintain();
    assertThat(cache.stats().blocks()).isZero();
  }

  @Test
  void shouldTellTheCacheOfFilesOpenedBeforeItWasThere() {
    Tier late = new Tier(thread -> false);
    Incarnations.Incarnation open = late.opened("b", 500);
    late.closed(late.opened("c", 700));
    late.start(cache);
    assertThat(cache.stats().dataSetBytes()).isEqualTo(500);
    late.closed(open);
    assertThat(cache.stats().dataSetBytes()).isZero();
  }

  @Test
  void shouldReadTheFileWhenTheCacheIsClosed() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    cache.close();
    assertThat(readsRight(file, 0, CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.FAILURE)).isZero();
  }
}
