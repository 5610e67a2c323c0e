// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.agent.Compactions;
import io.nvcache.cassandra.settings.TableFilter;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls what the woven code calls, in its order, for files that are not compressed. */
class CompactionHeatTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 16;
  private static final int FILE_BYTES = CHUNKS * CHUNK;
  private static final int TABLE = 0x7ab1e;
  private static final int HOT = 5;
  private static final int QUERIES = 40;

  @TempDir Path directory;

  private final byte[] onDisk = new byte[FILE_BYTES];
  private final Object writer = new Object();
  private BlockCache cache = build(PolicyPreset.ADMIT_ALL);
  private boolean compacting;
  private @Nullable CompactionWork followed;
  private Tier tier = new Tier(thread -> compacting);
  private IntConsumer pace = bytes -> {};
  private Runnable pause =
      () -> {
        throw new AssertionError("an input is open");
      };
  private TableFilter tables = new TableFilter(Set.of(), Set.of());
  private CompactionHeat heat = heat();
  private Path output = Path.of("");

  CompactionHeatTest() {
    new Random(1).nextBytes(onDisk);
  }

  private static BlockCache build(PolicyPreset policies) {
    return BlockCache.builder()
        .nativeMemory(16 << 20)
        .expectedBlockBytes(CHUNK)
        .policies(policies)
        .maintainedByCaller()
        .build();
  }

  private CompactionHeat heat() {
    return new CompactionHeat(
        tier, tables, bytes -> pace.accept(bytes), Runnable::run, () -> pause.run());
  }

  @BeforeEach
  void start() throws Exception {
    tier.start(cache);
    begin();
    Path table = Files.createDirectories(directory.resolve("ks").resolve("t-0123456789abcdef"));
    output = table.resolve("nb-2-big-Data.db");
    Files.write(output, onDisk);
  }

  private void begin() {
    Compactions.tell(heat);
    heat.turn(true);
  }

  private void beginCompaction() {
    followed = Compactions.begin();
  }

  private void endCompaction(boolean committed) {
    CompactionWork ended = followed;
    followed = null;
    Compactions.end(ended, committed);
  }

  @AfterEach
  void close() {
    endCompaction(false);
    heat.close();
    cache.close();
  }

  private static ByteBuffer key(int partition) {
    return ByteBuffer.allocate(8).putInt(partition).putInt(0xfeed).flip();
  }

  private ChunkReads open(Object fileKey) {
    return new ChunkReads(tier, tier.opened(fileKey, FILE_BYTES), CHUNK);
  }

  private ChunkReads openOutput() {
    return open(FileKey.of(-1, output.toString()));
  }

  /** Reads as the woven channel does; true if the file was not touched. */
  private boolean read(ChunkReads file, int chunk) {
    ByteBuffer dst = ByteBuffer.allocate(CHUNK);
    boolean served = file.read(dst, (long) chunk * CHUNK) != 0;
    if (!served) {
      dst.put(onDisk, chunk * CHUNK, CHUNK);
      file.missed(dst, (long) chunk * CHUNK, CHUNK);
    }
    assertThat(dst.array())
        .isEqualTo(Arrays.copyOfRange(onDisk, chunk * CHUNK, (chunk + 1) * CHUNK));
    return served;
  }

  /** An input of which all chunks are cached, and one partition in it that is queried often. */
  private ChunkReads hotInput() {
    ChunkReads input = open("input");
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      read(input, chunk);
    }
    for (int query = 0; query < QUERIES; query++) {
      Compactions.queried(TABLE, key(HOT));
      read(input, HOT);
    }
    return input;
  }

  @Test
  @SuppressWarnings("DataFlowIssue") // as a fault would
  void shouldFailNoQuery() {
    ByteBuffer none = null;
    Compactions.queried(TABLE, none);
    assertThat(tier.bypasses().byName()).containsEntry("failure", 1L);
    Compactions.queried(TABLE, none);
    assertThat(tier.bypasses().byName()).as("is not tried again").containsEntry("failure", 1L);
  }

  @Test
  void shouldTakeACompactionInsideAnotherForAPartOfIt() {
    beginCompaction();
    CompactionWork outer = Compactions.current();
    assertThat(outer).isNotNull();
    CompactionWork inner = Compactions.begin();
    assertThat(inner).isNull();
    Compactions.end(inner, true);
    assertThat(Compactions.current()).isSameAs(outer);
    endCompaction(false);
    assertThat(Compactions.current()).isNull();
  }

  /** Merges as a compaction does, one partition to a chunk; the output is not opened yet. */
  private void merge(ChunkReads input) {
    compacting = true;
    beginCompaction();
    CompactionWork work = Compactions.current();
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      read(input, chunk);
      if (work != null) {
        work.begins(writer, output.toString(), TABLE, key(chunk), (long) chunk * CHUNK);
        work.ends(writer, (chunk + 1L) * CHUNK);
      }
    }
    compacting = false;
  }

  private void invalidated(ChunkReads input) {
    input.release();
    cache.control().maintain();
  }

  private long carried() {
    return cache.control().ledger().entries().get("carried.admitted");
  }

  @Test
  void shouldCacheTheHotChunkOfAnOutputAfterTheCommitAndNoOther() {
    ChunkReads input = hotInput();
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    assertThat(cache.stats().blocks()).as("blocks before the commit").isZero();
    endCompaction(true);
    assertThat(carried()).isEqualTo(1);
    assertThat(cache.stats().blocks()).isEqualTo(1);
    assertThat(read(live, HOT)).isTrue();
    assertThat(read(live, HOT + 1)).isFalse();
    assertThat(Compactions.current()).isNull();
  }

  @Test
  void shouldCarryNoChunkOfAnOutputOfBti() throws IOException {
    output = Files.copy(output, output.resolveSibling("da-2-bti-Data.db"));
    ChunkReads input = hotInput();
    long lookups = cache.stats().lookups();
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    endCompaction(true);
    assertThat(carried()).isZero();
    assertThat(cache.stats().lookups()).as("lookups of the compaction").isEqualTo(lookups);
    assertThat(read(live, HOT)).isFalse();
  }

  @Test
  void shouldTakeNoReadOfACompactionThatItFollowsForALookup() {
    ChunkReads input = hotInput();
    long lookups = cache.stats().lookups();
    merge(input);
    assertThat(cache.stats().lookups()).isEqualTo(lookups);
    assertThat(tier.compactionHits().sum()).isEqualTo(CHUNKS);
    assertThat(cache.control().ledger().entries().get("rewrite.hit")).isEqualTo(CHUNKS);
  }

  /** A chunk may be cached without its checksum, and wanted with it, or the other way round. */
  @Test
  void shouldServeACompactionThatItFollowsNoChunkThatIsShorterThanWanted() {
    ChunkReads input = hotInput();
    compacting = true;
    beginCompaction();
    ByteBuffer longer = ByteBuffer.allocate(CHUNK + 4);
    assertThat(input.read(longer, 0)).isZero();
    assertThat(longer.position()).isZero();
    ByteBuffer shorter = ByteBuffer.allocate(CHUNK - 4);
    assertThat(input.read(shorter, 0)).isEqualTo(CHUNK - 4);
    assertThat(shorter.array()).isEqualTo(Arrays.copyOf(onDisk, CHUNK - 4));
  }

  @Test
  void shouldSpreadTheHeatOfTheInputsWhereNoPartitionIsKnown() {
    cache.close();
    cache = build(PolicyPreset.DEFAULT);
    tier = new Tier(thread -> compacting);
    tier.start(cache);
    heat = heat();
    begin();
    ChunkReads input = open("input");
    for (int query = 0; query < QUERIES; query++) {
      read(input, HOT); // By scans, say.
    }
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    endCompaction(true);
    assertThat(carried()).isEqualTo(1); // There is room for one: the input had no more.
    boolean right = read(live, HOT);
    assertThat(right || read(live, HOT + 1)).as("what was written while it was open").isTrue();
  }

  @Test
  void shouldLeaveNothingOfACompactionThatFails() {
    ChunkReads input = hotInput();
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    endCompaction(false);
    assertThat(cache.stats().blocks()).isZero();
    assertThat(tier.bypasses().of(Bypass.COMPACTION_FAILED)).isEqualTo(1);
    assertThat(read(live, HOT)).isFalse();
    assertThat(Compactions.current()).isNull();
  }

  @Test
  void shouldGiveTheIdOfAnOutputThatWasNotOpenedToNoOtherFile() {
    Object fileKey = FileKey.of(-1, output.toString());
    merge(hotInput());
    long expected = tier.incarnations().expect(fileKey);
    endCompaction(false);
    assertThat(tier.opened(fileKey, FILE_BYTES).id()).isGreaterThan(expected);
  }

  @Test
  void shouldReadNothingOfAnOutputThatIsClosedAlready() {
    ChunkReads input = hotInput();
    merge(input);
    openOutput().release();
    invalidated(input);
    int[] reads = {0};
    pace = bytes -> reads[0]++;
    endCompaction(true);
    assertThat(reads[0]).isZero();
    assertThat(carried()).isZero();
    assertThat(cache.stats().blocks()).isZero();
    assertThat(tier.bypasses().of(Bypass.HEAT_FILE_GONE)).isEqualTo(1);
  }

  @Test
  void shouldCacheNothingOfAnOutputThatIsClosedWhileItIsRead() {
    ChunkReads input = hotInput();
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    pace = bytes -> live.release();
    endCompaction(true);
    cache.control().maintain();
    assertThat(carried()).isZero();
    assertThat(cache.stats().blocks()).isZero();
  }

  /** The table was dropped, and made anew with its id; a reader holds the old file. */
  @Test
  void shouldReadNoOtherFileUnderTheNameOfTheOutput() throws Exception {
    ChunkReads input = hotInput();
    merge(input);
    ChunkReads live = openOutput();
    invalidated(input);
    Path other = Files.write(directory.resolve("other"), new byte[FILE_BYTES]);
    Files.move(other, output, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    endCompaction(true);
    assertThat(carried()).isZero();
    assertThat(read(live, HOT)).isFalse();
  }

  @Test
  void shouldReadNothingOfAnOutputThatIsDeletedOrCutShort() throws Exception {
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    invalidated(input);
    Files.write(output, new byte[HOT * CHUNK + 1]);
    endCompaction(true);
    assertThat(carried()).isZero();
    assertThat(tier.bypasses().of(Bypass.FAILURE)).isZero();
  }

  @Test
  void shouldWaitForTheRoomOfInputsThatAreStillRead() {
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    int[] pauses = {0};
    pause =
        () -> {
          assertThat(carried()).isZero();
          if (++pauses[0] == 3) {
            invalidated(input);
          }
        };
    endCompaction(true);
    assertThat(pauses[0]).isEqualTo(3);
    assertThat(carried()).isEqualTo(1);
  }

  @Test
  void shouldNotWaitForeverForAnInputThatStaysOpen() {
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    int[] pauses = {0};
    pause = () -> pauses[0]++;
    endCompaction(true);
    assertThat(pauses[0]).isEqualTo(500);
    assertThat(carried()).isEqualTo(1);
    input.release();
  }

  @Test
  void shouldPaceWhatItReads() {
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    invalidated(input);
    int[] bytes = {0};
    pace = more -> bytes[0] += more;
    endCompaction(true);
    assertThat(bytes[0]).isEqualTo(CHUNK);
  }

  /** Over JMX, while a large medium is being prepared. */
  @Test
  void shouldStayOffIfItIsTurnedOffBeforeItStarts() {
    CompactionHeat early = heat();
    early.turn(false);
    early.turnOnUnlessTurned();
    assertThat(early.isOn()).isFalse();
    CompactionHeat other = heat();
    other.turnOnUnlessTurned();
    assertThat(other.isOn()).isTrue();
    early.close();
    other.close();
  }

  /** Over JMX as well. */
  @Test
  void shouldCountPartitionsIfItIsTurnedOnBeforeThereIsACache() {
    tier = new Tier(thread -> compacting);
    CompactionHeat early = heat();
    early.turn(true);
    early.queried(TABLE, key(HOT));
    assertThat(early.recentLookups(TABLE, key(HOT))).isZero();
    tier.start(cache);
    early.turnOnUnlessTurned();
    early.queried(TABLE, key(HOT));
    assertThat(early.recentLookups(TABLE, key(HOT))).isEqualTo(1);
    early.close();
  }

  @Test
  void shouldFollowNothingWhileItIsOffOrReadsAreNotServed() {
    heat.turn(false);
    merge(hotInput());
    assertThat(Compactions.current()).isNull();
    heat.turn(true);
    tier.pause();
    beginCompaction();
    assertThat(Compactions.current()).isNull();
    tier.resume();
    beginCompaction();
    assertThat(Compactions.current()).isNotNull();
  }

  @Test
  void shouldReadNothingBackOnceItIsSwitchedOff() {
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    invalidated(input);
    heat.turn(false);
    endCompaction(true);
    assertThat(carried()).isZero();
    assertThat(tier.bypasses().of(Bypass.HEAT_FILE_GONE)).isEqualTo(1);
  }

  @Test
  void shouldForgetThePartitionsOfTheTimeBeforeItWasSwitchedOff() {
    ChunkReads input = hotInput();
    heat.turn(false);
    heat.turn(true);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      assertThat(heat.recentLookups(TABLE, key(chunk))).isZero();
    }
    input.release();
  }

  @Test
  void shouldCarryNothingOfATableThatIsNotCached() {
    tables = new TableFilter(Set.of(), Set.of("ks.t"));
    heat = heat();
    begin();
    ChunkReads input = hotInput();
    merge(input);
    openOutput();
    invalidated(input);
    endCompaction(true);
    assertThat(carried()).isZero();
    assertThat(tier.bypasses().of(Bypass.HEAT_FILE_GONE)).isZero();
  }

  @Test
  void shouldTellTablesApart() {
    Compactions.queried(TABLE, key(HOT));
    assertThat(heat.recentLookups(TABLE, key(HOT))).isEqualTo(1);
    assertThat(heat.recentLookups(TABLE + 1, key(HOT))).isZero();
  }

  @Test
  void shouldLeaveTheKeysOfQueriesAsTheyAre() {
    ByteBuffer key = key(HOT).position(2);
    Compactions.queried(TABLE, key);
    assertThat(key.position()).isEqualTo(2);
    assertThat(key.limit()).isEqualTo(8);
  }

  @Test
  void shouldThrowNothingIntoACompactionWhoseOutputCannotBeFollowed() {
    compacting = true;
    beginCompaction();
    CompactionWork work = Compactions.current();
    assertThat(work).isNotNull();
    ChunkReads input = open("input");
    read(input, 0);
    work.begins(writer, "\0", TABLE, key(0), 0); // No path at all.
    work.ends(writer, 100);
    work.wrote(writer, 0, 100);
    endCompaction(true);
    assertThat(tier.bypasses().of(Bypass.FAILURE)).isEqualTo(1);
  }
}
