// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.FileIdentity;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.KeyFile;
import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {
  private static final long CAPACITY = 8 << 20;
  private static final int LENGTH = 4000;

  /** Shorter than the blocks are: none of them finds both its buckets of the index full. */
  private static final int EXPECTED = 1024;

  private static final FileIdentity FIRST = FileIdentity.of("test", "first");
  private static final FileIdentity SECOND = FileIdentity.of("test", "second");

  @TempDir private Path directory;
  private Path file;

  /** Of the file system, which is the length of the mark before the superblocks. */
  private long granule;

  private BlockCache open() throws IOException {
    return BlockCache.builder()
        .flash(file, CAPACITY)
        .expectedBlockBytes(EXPECTED)
        .maxBlockBytes(4096)
        .admission(AdmissionPresets.admitAll())
        .build();
  }

  private static void fill(BlockCache cache, long fileId, int blocks) {
    fill(cache, fileId, 0, blocks);
  }

  private static void fill(BlockCache cache, long fileId, int from, int until) {
    for (int block = from; block < until; block++) {
      OfferResult result;
      do {
        result = cache.offer(fileId, 4096L * block, ByteBuffer.allocate(LENGTH), Source.READ);
      } while (result == OfferResult.MEDIUM_BUSY || result == OfferResult.NO_SPACE);
      assertThat(result).isEqualTo(OfferResult.ADMITTED);
    }
  }

  @BeforeEach
  void leaveACache() throws IOException {
    file = directory.resolve("flash");
    granule = Files.getFileStore(directory).getBlockSize();
    try (BlockCache cache = open()) {
      cache.identify(1, FIRST);
      cache.identify(2, SECOND);
      fill(cache, 1, 300);
      fill(cache, 2, 100);
      fill(cache, 3, 50);
    }
  }

  private String inspect(String... more) {
    String[] arguments = new String[2 + more.length];
    arguments[0] = "inspect";
    arguments[1] = file.toString();
    System.arraycopy(more, 0, arguments, 2, more.length);
    CliRun run = CliRun.of(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private void write(long at, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), at);
    }
  }

  private byte[] read(long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      assertThat(channel.read(bytes, at)).isEqualTo(length);
    }
    return bytes.array();
  }

  @Test
  void shouldSayWhatARestartFinds() throws IOException {
    byte[] before = Files.readAllBytes(file);
    Path json = directory.resolve("inspect.json");

    String out = inspect("--json", json.toString(), "--regions");

    assertThat(out)
        .contains("restart  warm")
        .contains("closed at 2")
        .contains("division capacity of " + CAPACITY + " bytes in regions of ")
        .contains("blocks   400 of 2 files, listed 400 times with " + 400 * LENGTH + " bytes")
        .containsSubsequence(FIRST + ": 300 blocks", SECOND + ": 100 blocks")
        .contains("region   0: complete, generation 0, ");
    assertThat(Files.readString(json))
        .contains("\"inspect_warm\"")
        .contains("\"inspect_blocks\", \"labels\": {\"file\": \"" + file + "\"}, \"value\": 400")
        .contains("\"state\": \"complete\"");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    try (BlockCache cache = open()) {
      awaitRestored(cache);
      assertThat(cache.stats().restoredBlocks()).isEqualTo(400);
    }
  }

  @Test
  void shouldSayWhatIsOnSeveralDrives() throws IOException {
    Path other = directory.resolve("other");
    List<Path> drives = List.of(directory.resolve("drive"), other);
    try (BlockCache cache =
        BlockCache.builder()
            .flash(drives, 2 * CAPACITY)
            .expectedBlockBytes(EXPECTED)
            .maxBlockBytes(4096)
            .admission(AdmissionPresets.admitAll())
            .build()) {
      cache.identify(1, FIRST);
      fill(cache, 1, 900);
    }
    CliRun both = CliRun.of("inspect", other + "," + drives.get(0));
    assertThat(both.out()).contains("restart  warm").contains("blocks   900 of 1 files");
    CliRun one = CliRun.of("inspect", drives.get(0).toString());
    assertThat(one.out()).contains("restart  cold: it has no superblock of a cache");
    CliRun foreign = CliRun.of("inspect", file.toString(), directory.resolve("flash").toString());
    assertThat(foreign.out()).contains("they are not the drives of one cache");
  }

  @Test
  void shouldShowWhatIsEncrypted_ToItsKey() throws IOException {
    Path key = Files.write(directory.resolve("key"), new byte[32]);
    file = directory.resolve("sealed");
    BlockCacheBuilder builder = BlockCache.builder().flash(file, CAPACITY);
    builder.expectedBlockBytes(4096).maxBlockBytes(4096).admission(AdmissionPresets.admitAll());
    try (BlockCache cache = builder.encrypted(new KeyFile(key)).build()) {
      cache.identify(1, FIRST);
      fill(cache, 1, 5);
    }

    assertThat(inspect()).contains("restart  cold: it is encrypted");
    assertThat(inspect("--key-file", key.toString()))
        .contains("restart  warm")
        .contains(FIRST + ": 5 blocks");
    assertThat(inspect("--key-file", directory.resolve("none").toString()))
        .contains("restart  cold: its key can't be read: ");
  }

  private static void awaitRestored(BlockCache cache) {
    while (cache.control().restore().toString().startsWith("restoring")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldListAsManyFilesAsAskedFor() {
    assertThat(inspect("--files", "1")).contains(FIRST + ":").doesNotContain(SECOND + ":");
    assertThat(inspect("--files", "0")).doesNotContain(FIRST + ":").doesNotContain("region   ");
  }

  /** As is usual, from another process: in its own the cache would lose its lock. */
  @Test
  void shouldLookAtAFileThatACacheHasOpen() throws Exception {
    try (BlockCache cache = open()) {
      awaitRestored(cache);
      cache.identify(1, FIRST);
      fill(cache, 3, 500); // So many that a region was begun, with a superblock before it.
      assertThat(ChildJvm.run(NvCacheCli.class, "inspect", file.toString()))
          .contains("restart  warm")
          .contains("not closed");
      CliRun here = CliRun.of("inspect", file.toString());
      assertThat(here.exitCode()).isNotZero();
      assertThat(here.err()).contains("a cache of this process has it open");
      assertThat(cache.get(1, 0, ByteBuffer.allocate(4096))).isEqualTo(LENGTH);
    }
  }

  @Test
  void shouldCountABlockOnceThatTwoRegionsList() throws IOException {
    file = directory.resolve("twice");
    try (BlockCache cache = open()) {
      cache.identify(1, FIRST);
      cache.identify(2, SECOND);
      for (int block = 0; block < 300; block += 10) {
        fill(cache, 1, block, block + 10);
        fill(cache, 2, block, block + 1); // Or the region would be free, and listed no more.
      }
    }
    try (BlockCache cache = open()) {
      awaitRestored(cache);
      cache.identify(1, FIRST);
      cache.identify(2, SECOND);
      cache.invalidateFile(1);
      cache.identify(4, FIRST);
      fill(cache, 4, 300);
    }
    assertThat(inspect()).contains(FIRST + ": 300 blocks, listed 600 times");
  }

  @Test
  void shouldNameFilesOfWhichABlockWasInvalidated() throws IOException {
    try (BlockCache cache = open()) {
      awaitRestored(cache);
      cache.identify(1, FIRST);
      assertThat(cache.invalidate(1, 0)).isTrue();
    }
    assertThat(inspect())
        .contains("revoked  1 files")
        .contains("blocks   100 of 1 files")
        .doesNotContain(FIRST + ":");
  }

  @Test
  void shouldSayThatAForeignFileIsNone() throws IOException {
    Files.writeString(file, "mine");
    assertThat(inspect()).contains("restart  cold: it has no mark of a cache on flash");
    Files.write(file, new byte[100_000]);
    assertThat(inspect()).contains("restart  cold: it has no mark of a cache on flash");
    Files.write(file, new byte[0]);
    assertThat(inspect()).contains("0 bytes").contains("restart  cold: it has no mark");
  }

  @Test
  void shouldSayThatAFileWasCut() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(CAPACITY / 2);
    }
    assertThat(inspect())
        .contains("restart  cold: it has " + CAPACITY / 2 + " bytes, and was written as one of ");
  }

  @Test
  void shouldSayThatACacheInPlaceLeftNothing() throws IOException {
    write(granule, new byte[8192]);
    assertThat(inspect()).contains("restart  cold: it has no superblock of a cache");
  }

  /** Both copies, since the older one would do. */
  @Test
  void shouldSayThatTheFormatIsAnother() throws IOException {
    byte[] older = {0, 0, 0, 1};
    write(granule + 8, older);
    write(granule + 4096 + 8, older);
    assertThat(inspect()).contains("restart  cold: its format is version 1, and this one reads ");
  }

  @Test
  void shouldSayThatTheSuperblockIsDamaged() throws IOException {
    write(granule + 100, new byte[] {1, 2, 3});
    assertThat(inspect()).contains("restart  warm"); // By the other one.
    write(granule + 4096 + 100, new byte[] {1, 2, 3});
    assertThat(inspect()).contains("restart  cold: its superblock is damaged");
  }

  @Test
  void shouldSayWhichRegionsAreDamaged() throws IOException {
    String whole = inspect("--regions");
    int regionBytes = Integer.parseInt(whole.replaceAll("(?s).* in regions of (\\d+),.*", "$1"));
    long first = granule + 8192;
    write(first + 30, new byte[] {1}); // The header of the first region.
    long end = first + 2L * regionBytes; // Blocks in the footer of the second one.
    write(end - 64 - 200, new byte[] {77, 77, 77, 77});
    byte[] third = read(first + 2L * regionBytes, 4096);
    write(first + 3L * regionBytes, third); // The header of the third one in the place of another.
    assertThat(inspect("--regions"))
        .contains("region   0: damaged")
        .contains("region   1: damaged")
        .contains("region   2: complete")
        .contains("region   3: damaged");
  }

  @Test
  void shouldRefuseWhatCanNotBeRead() {
    CliRun run = CliRun.of("inspect", directory.resolve("missing").toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("does not exist");
    run = CliRun.of("inspect", directory.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(1).contains("is a directory");
    run = CliRun.of("inspect", "--files", "x", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("--files");
    run = CliRun.of("inspect");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("FILE");
  }
}
