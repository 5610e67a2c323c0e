// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.cassandra.chunks.ChunkReads;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.NamedFile;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.control.RestoreReport.State;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node finds of the blocks of the process before it, by the files that it opens. */
@Timeout(120)
class WarmRestartTest {
  private static final String UNIQUE = "nb-3gag_0nml_2xxxx25dfi4lapfjqb-big-Data.db";
  private static final String COUNTED = "nb-1-big-Data.db";
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 200;

  @TempDir private Path directory;

  private BlockCache cache() {
    BlockCache cache =
        BlockCache.builder()
            .flash(directory.resolve("flash"), 16 << 20)
            .maxBlockBytes(CHUNK)
            .expectedBlockBytes(CHUNK)
            .policies(PolicyPreset.ADMIT_ALL)
            .smallBypassDramBytes(0)
            .build();
    while (cache.control().restore().state() == State.RESTORING) {
      Thread.onSpinWait();
    }
    return cache;
  }

  private static Tier tier(BlockCache cache) {
    Tier tier = new Tier(thread -> false);
    tier.start(cache);
    return tier;
  }

  /** Writes a data file, and the digest that Cassandra writes beside it. */
  private Path write(String name, long seed) throws Exception {
    byte[] bytes = new byte[CHUNK * CHUNKS];
    new Random(seed).nextBytes(bytes);
    Path file = Files.write(directory.resolve(name), bytes);
    Files.writeString(file.resolveSibling(name.replace("Data.db", "Digest.crc32")), "" + seed);
    return file;
  }

  private static ChunkReads open(Tier tier, Path file) throws Exception {
    Object key = FileKey.of(-1, file.toString());
    long length = Files.size(file);
    return new ChunkReads(tier, tier.opened(key, length, NamedFile.of(file, key, length)), CHUNK);
  }

  /** Reads all chunks, from the file what is not served, and returns how many were. */
  private static int read(ChunkReads file, Path path) throws Exception {
    byte[] bytes = Files.readAllBytes(path);
    int served = 0;
    for (int at = 0; at < bytes.length; at += CHUNK) {
      ByteBuffer dst = ByteBuffer.allocate(CHUNK);
      if (file.read(dst, at) > 0) {
        served++;
      } else {
        dst.put(bytes, at, CHUNK);
        file.missed(dst, at, CHUNK);
      }
      assertThat(dst.flip()).isEqualTo(ByteBuffer.wrap(bytes, at, CHUNK));
    }
    return served;
  }

  /** Reads until all is served: a drive that falls behind refuses some of what it is offered. */
  private static void fill(ChunkReads file, Path path) throws Exception {
    while (read(file, path) < CHUNKS) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void eventually(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {UNIQUE, COUNTED})
  void shouldServeTheFirstReadsAfterARestart(String name) throws Exception {
    Path path = write(name, 1);
    try (BlockCache cache = cache()) {
      ChunkReads file = open(tier(cache), path);
      assertThat(read(file, path)).isZero();
      fill(file, path);
      file.release();
    }
    try (BlockCache cache = cache()) {
      assertThat(read(open(tier(cache), path), path)).isEqualTo(CHUNKS);
    }
  }

  /** As of a compaction, which opens its output before it writes the digest. */
  @Test
  void shouldServeAFileThatWasOpenedBeforeItHadADigest() throws Exception {
    Path path = write(COUNTED, 1);
    Path digest = directory.resolve("nb-1-big-Digest.crc32");
    String sum = Files.readString(digest);
    Files.delete(digest);
    try (BlockCache cache = cache()) {
      Tier tier = tier(cache);
      ChunkReads early = open(tier, path);
      Files.writeString(digest, sum);
      ChunkReads file = open(tier, path);
      early.release();
      fill(file, path);
      assertThat(cache.control().dataSet().bytes()).hasValue(Files.size(path));
      file.release();
    }
    try (BlockCache cache = cache()) {
      assertThat(read(open(tier(cache), path), path)).isEqualTo(CHUNKS);
    }
  }

  /** As at the start of a node, which opens and closes some files before it opens them for good. */
  @Test
  void shouldServeAFileThatIsOpenedAgain() throws Exception {
    Path path = write(UNIQUE, 1);
    try (BlockCache cache = cache()) {
      fill(open(tier(cache), path), path);
    }
    try (BlockCache cache = cache()) {
      Tier tier = tier(cache);
      for (int life = 0; life < 3; life++) {
        ChunkReads file = open(tier, path);
        assertThat(read(file, path)).isEqualTo(CHUNKS);
        file.release();
      }
      assertThat(cache.control().dataSet().bytes()).hasValue(Files.size(path));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {UNIQUE, COUNTED})
  void shouldGiveTheBlocksOfAFileBackThatIsDeletedAfterItsLastClose(String name) throws Exception {
    Path path = write(name, 1);
    try (BlockCache cache = cache()) {
      Tier tier = tier(cache);
      ChunkReads file = open(tier, path);
      read(file, path);
      file.release();
      Files.delete(path);
      eventually(() -> cache.control().dataSet().bytes().orElse(0) == 0);
      eventually(() -> cache.stats().blocks() == 0);
    }
  }

  /** The counter of names starts anew, and so may the number of the inode. */
  @Test
  void shouldNotServeTheFileBeforeOfTheSameName() throws Exception {
    Path path = write(COUNTED, 1);
    FileTime changed = Files.getLastModifiedTime(path);
    try (BlockCache cache = cache()) {
      Tier tier = tier(cache);
      ChunkReads file = open(tier, path);
      read(file, path);
      file.release();
      write(COUNTED, 2); // In place: path, inode and length are the same, the digest is not.
      Files.setLastModifiedTime(path, changed);
      ChunkReads second = open(tier, path);
      assertThat(read(second, path)).isZero();
      fill(second, path);
    }
    write(COUNTED, 3);
    Files.setLastModifiedTime(path, changed);
    try (BlockCache cache = cache()) {
      assertThat(cache.control().restore().restoredBlocks()).isGreaterThanOrEqualTo(CHUNKS);
      assertThat(read(open(tier(cache), path), path)).isZero();
    }
  }

  @Test
  void shouldNotKnowACountedFileWithoutItsDigestOrInAnotherPlace() throws Exception {
    Path path = write(COUNTED, 1);
    Object key = FileKey.of(-1, path.toString());
    long length = Files.size(path);
    NamedFile named = NamedFile.of(path, key, length);
    assertThat(named).isNotNull();
    assertThat(named.isThere()).isTrue();
    assertThat(NamedFile.of(path, key, length - 1)).as("still written").isNull();
    assertThat(NamedFile.of(path, "another file", length)).isNull();
    Path digest = directory.resolve("nb-1-big-Digest.crc32");
    Files.writeString(digest, "");
    assertThat(NamedFile.of(path, key, length)).isNull();
    Files.writeString(digest, "x".repeat(100));
    assertThat(NamedFile.of(path, key, length)).isNull();
    Files.delete(digest);
    assertThat(NamedFile.of(path, key, length)).isNull();
    assertThat(named.isThere()).isFalse();
    Path other = write("nb-2-big-Data.db", 1);
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(path));
    Object otherKey = FileKey.of(-1, other.toString());
    assertThat(NamedFile.of(other, otherKey, length).identity()).isNotEqualTo(named.identity());
  }

  @Test
  void shouldKnowAUniqueFileWhereverItLies() throws Exception {
    Path path = write(UNIQUE, 1);
    NamedFile here = NamedFile.of(path, FileKey.of(-1, path.toString()), Files.size(path));
    assumeThat(here).isNotNull();
    Path moved = Files.createDirectory(directory.resolve("moved")).resolve(UNIQUE);
    Files.move(path, moved);
    NamedFile there = NamedFile.of(moved, FileKey.of(-1, moved.toString()), Files.size(moved));
    assertThat(there.identity()).isEqualTo(here.identity());
  }

  /** What is cached of the file before may be rotten, as the file was. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotServeAUniqueFileThatWasRestored(boolean inPlace) throws Exception {
    Path path = write(UNIQUE, 1);
    FileTime changed = Files.getLastModifiedTime(path);
    try (BlockCache cache = cache()) {
      ChunkReads file = open(tier(cache), path);
      fill(file, path);
      file.release();
    }
    if (inPlace) {
      write(UNIQUE, 2);
      Files.setLastModifiedTime(path, FileTime.fromMillis(changed.toMillis() + 1));
    } else {
      Files.move(path, directory.resolve("rotten")); // Its inode stays taken.
      write(UNIQUE, 2);
      Files.setLastModifiedTime(path, changed);
    }
    try (BlockCache cache = cache()) {
      assertThat(read(open(tier(cache), path), path)).isZero();
    }
  }
}
