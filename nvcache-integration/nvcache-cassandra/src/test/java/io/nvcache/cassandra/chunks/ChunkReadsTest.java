// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkReadsTest {
  private static final int CHUNK = 4096;

  /** What Snappy may make of a chunk, and the checksum. */
  private static final int LONGEST = CHUNK + CHUNK / 6 + 32 + ChunkSums.SUM_BYTES;

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
  void shouldServePartOfALongChunkAndThenOthersInFull() {
    ChunkReads file = open("a");
    readsRight(file, 0, LONGEST);
    readsRight(file, 2 * CHUNK, CHUNK);
    assertThat(readsRight(file, 0, 16)).isTrue();
    assertThat(readsRight(file, 0, LONGEST)).isTrue();
    assertThat(readsRight(file, 2 * CHUNK, CHUNK)).isTrue();
    assertThat(readsRight(file, 2 * CHUNK, CHUNK + 4)).as("longer than cached").isFalse();
    assertThat(readsRight(file, 2 * CHUNK, CHUNK + 4)).isTrue();
  }

  /** With chunks of 128 KiB, 5.0.9 reads two of them ahead. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void shouldLeaveReadsOfSeveralChunksToTheFile(int chunks) {
    ChunkReads file = open("a");
    assertThat(readsRight(file, 0, chunks * CHUNK)).isFalse();
    assertThat(readsRight(file, 0, chunks * CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.SCAN_READ_AHEAD)).isEqualTo(2);
    assertThat(cache.stats().lookups()).isZero();
  }

  private ChunkReads openCompressed(int maxCompressedLength) {
    ChunkSums sums = new ChunkSums(maxCompressedLength);
    return new ChunkReads(tier, tier.opened("compressed", FILE_BYTES), CHUNK, sums);
  }

  /** Has the file hold the checksum of a chunk in the last four bytes of what is read of it. */
  private void writeSum(int position, int lengthWithSum) {
    CRC32 sum = new CRC32();
    sum.update(onDisk, position, lengthWithSum - ChunkSums.SUM_BYTES);
    ByteBuffer.wrap(onDisk)
        .putInt(position + lengthWithSum - ChunkSums.SUM_BYTES, (int) sum.getValue());
  }

  @Test
  void shouldNotCacheACompressedChunkThatTheDiskReturnedWrongOnce() {
    ChunkReads file = openCompressed(Integer.MAX_VALUE);
    writeSum(0, 3000);
    writeSum(3000, 2000);
    readsRight(file, 0, 3000);
    assertThat(readsRight(file, 0, 3000)).isTrue();
    onDisk[4000] ^= 1;
    readsRight(file, 3000, 2000);
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isEqualTo(1);
    onDisk[4000] ^= 1;
    assertThat(readsRight(file, 3000, 2000)).as("the chunk of the bad read").isFalse();
    assertThat(readsRight(file, 3000, 2000)).isTrue();
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isEqualTo(1);
  }

  @Test
  void shouldNotCacheWithoutItsChecksumWhatCannotBeCheckedInAFileReadWithThem() {
    ChunkReads file = openCompressed(Integer.MAX_VALUE);
    writeSum(0, 3000);
    readsRight(file, 0, 3000);
    readsRight(file, 3000, 2000 - ChunkSums.SUM_BYTES);
    assertThat(readsRight(file, 3000, 2000 - ChunkSums.SUM_BYTES)).isFalse();
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isEqualTo(2);
    assertThat(readsRight(file, 0, 3000 - ChunkSums.SUM_BYTES)).as("cached with it").isTrue();
  }

  /** With crc_check_chance = 0. */
  @Test
  void shouldCacheChunksOfAFileThatIsReadWithoutChecksums() {
    ChunkReads file = openCompressed(Integer.MAX_VALUE);
    readsRight(file, 0, 3000);
    readsRight(file, 3000, 2000);
    assertThat(readsRight(file, 0, 3000)).isTrue();
    assertThat(readsRight(file, 3000, 2000)).isTrue();
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isZero();
  }

  @Test
  void shouldCacheAChunkThatIsNotCompressedAsItIsReadWithoutItsChecksum() {
    ChunkReads file = openCompressed(CHUNK);
    writeSum(0, 3000);
    readsRight(file, 0, 3000);
    assertThat(readsRight(file, 3000, CHUNK)).isFalse();
    assertThat(readsRight(file, 3000, CHUNK)).isTrue();
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isZero();
  }

  @Test
  void shouldLeaveAChecksumThatIsReadByItselfToTheFile() {
    ChunkReads file = openCompressed(CHUNK);
    assertThat(readsRight(file, CHUNK, ChunkSums.SUM_BYTES)).isFalse();
    assertThat(readsRight(file, CHUNK, ChunkSums.SUM_BYTES)).isFalse();
    assertThat(cache.stats().lookups()).isZero();
    assertThat(cache.stats().blocks()).isZero();
    assertThat(tier.bypasses().byName().values()).containsOnly(0L);
    readsRight(file, CHUNK, CHUNK);
    assertThat(readsRight(file, CHUNK, ChunkSums.SUM_BYTES)).isFalse();
    assertThat(readsRight(file, CHUNK, ChunkSums.SUM_BYTES + 1)).isTrue();
  }

  /** 5.0.9 asks for what is left of the file, and not for all that it would read ahead. */
  @Test
  void shouldKeepTheChunksOfAFileThatAScanReadsInOneThoughItIsShorterThanTwoOfThem() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    assertThat(readsRight(file, 0, CHUNK + CHUNK / 4)).isFalse();
    assertThat(tier.bypasses().of(Bypass.SCAN_READ_AHEAD)).isEqualTo(1);
    assertThat(tier.bypasses().of(Bypass.CACHED_TOO_SHORT)).isZero();
    assertThat(readsRight(file, 0, CHUNK)).isTrue();
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
    assertThat(tier.compactionHits().sum()).isEqualTo(1);
  }

  @Test
  void shouldTakeNoReadOfACompactionForALookup() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    long lookups = cache.stats().lookups();
    long hits = cache.stats().hits();
    compacting = true;
    readsRight(file, 0, CHUNK);
    readsRight(file, CHUNK, CHUNK);
    assertThat(readsRight(file, 0, CHUNK - 4)).as("without the checksum").isTrue();
    assertThat(readsRight(file, 0, CHUNK + 4)).as("longer than cached").isFalse();
    assertThat(cache.stats().lookups()).isEqualTo(lookups);
    assertThat(cache.stats().hits()).isEqualTo(hits);
    assertThat(tier.compactionHits().sum()).isEqualTo(2);
    assertThat(tier.bypasses().of(Bypass.CACHED_TOO_SHORT)).isZero();
    compacting = false;
    assertThat(readsRight(file, 0, CHUNK)).as("a read of the next query").isTrue();
    assertThat(cache.stats().lookups()).isEqualTo(lookups + 1);
  }

  @Test
  void shouldReadTheFileWhenTheMediumChangedTheChunk(@TempDir Path directory) throws Exception {
    Path medium = directory.resolve("medium");
    Properties given = new Properties();
    given.setProperty(NodeSettings.CAPACITY_BYTES, Integer.toString(16 << 20));
    given.setProperty(NodeSettings.MEDIUM, "mapped");
    given.setProperty(NodeSettings.PATH, medium.toString());
    given.setProperty(NodeSettings.POLICIES, "admit-all");
    given.setProperty(NodeSettings.SMALL_BYPASS_DRAM_BYTES, "0");
    Tier broken = new Tier(thread -> false);
    try (BlockCache checked = NodeSettings.of(given).cache().build()) {
      broken.start(checked);
      ChunkReads file = new ChunkReads(broken, broken.opened("a", FILE_BYTES), CHUNK);
      readsRight(file, 0, CHUNK);
      assertThat(readsRight(file, 0, CHUNK)).isTrue();
      Files.write(medium, new byte[16 << 20], StandardOpenOption.WRITE);
      assertThat(readsRight(file, 0, CHUNK)).isFalse();
      assertThat(checked.control().health().checksumFailures()).isEqualTo(1);
      assertThat(readsRight(file, 0, CHUNK)).isTrue();
      assertThat(broken.bypasses().of(Bypass.FAILURE)).isZero();
    }
  }

  @Test
  void shouldForgetAFileWhenItsLastHandleIsReleased() {
    ChunkReads early = open("a");
    ChunkReads last = open("a");
    readsRight(early, 0, CHUNK);
    early.release();
    early.release();
    assertThat(readsRight(last, 0, CHUNK)).isTrue();
    assertThat(cache.stats().dataSetBytes()).hasValue(FILE_BYTES);
    last.release();
    assertThat(cache.stats().dataSetBytes()).hasValue(0);
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
    cache.control().maintain();
    assertThat(cache.stats().blocks()).isZero();
  }

  @Test
  void shouldTellTheCacheOfFilesOpenedBeforeItWasThere() {
    Tier late = new Tier(thread -> false);
    Incarnations.Incarnation open = late.opened("b", 500);
    late.closed(late.opened("c", 700));
    late.start(cache);
    assertThat(cache.stats().dataSetBytes()).hasValue(500);
    late.closed(open);
    assertThat(cache.stats().dataSetBytes()).hasValue(0);
  }

  @Test
  void shouldReadTheFileWhenTheCacheIsClosed() {
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    cache.close();
    assertThat(readsRight(file, 0, CHUNK)).isFalse();
    assertThat(tier.bypasses().of(Bypass.FAILURE)).isZero();
  }

  @Test
  void shouldCountTheLengthOfAFileThatIsNotCachedUntilItsLastClose() {
    UncachedFile file = new UncachedFile(tier, tier.opened("excluded", 1000));
    assertThat(cache.control().dataSet().bytes()).hasValue(1000);
    ByteBuffer dst = ByteBuffer.allocate(CHUNK);
    file.missed(dst.position(CHUNK), 0, CHUNK);
    assertThat(file.read(dst.clear(), 0)).isZero();
    assertThat(cache.stats().lookups()).isZero();
    file.release();
    file.release();
    assertThat(cache.control().dataSet().bytes()).hasValue(0);
  }

  /** The node goes on by reading its file, whatever the buffer and the position. */
  @Test
  void shouldThrowAtNoReadOfTheNodeWhateverItsBuffer(@TempDir Path directory) throws Exception {
    Path path = Files.write(directory.resolve("mapped"), new byte[16 * CHUNK]);
    ByteBuffer cut;
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      cut = channel.map(FileChannel.MapMode.READ_WRITE, 0, 16 * CHUNK);
      channel.truncate(100);
    }
    ByteBuffer[] buffers = {
      ByteBuffer.allocate(CHUNK).asReadOnlyBuffer(),
      ByteBuffer.allocateDirect(CHUNK).asReadOnlyBuffer(),
      ByteBuffer.allocate(0),
      cut.slice(8 * CHUNK, CHUNK),
      cut.slice(100, CHUNK)
    };
    long[] positions = {0, CHUNK, -1, Long.MIN_VALUE, Long.MAX_VALUE, FILE_BYTES - 1};
    ChunkReads file = open("a");
    readsRight(file, 0, CHUNK);
    for (int round = 0; round < 2; round++) {
      for (ByteBuffer buffer : buffers) {
        for (long position : positions) {
          ByteBuffer dst = buffer.duplicate();
          assertThat(file.read(dst, position)).isZero();
          assertThat(dst.position()).isZero();
          dst.position(dst.limit());
          file.missed(dst, position, dst.limit());
          assertThat(dst.position()).isEqualTo(dst.limit());
        }
      }
      assertThat(cache.stats().mediumFailures()).isZero();
      assertThat(readsRight(file, 0, CHUNK)).isEqualTo(round == 0);
      cache.close();
    }
  }
}
