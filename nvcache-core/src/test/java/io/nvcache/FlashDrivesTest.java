// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreReport;
import io.nvcache.medium.FlashDrive;
import io.nvcache.medium.KeyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache finds in its files after they were moved, mixed up, copied, or taken away. */
@Timeout(120)
final class FlashDrivesTest {
  private static final int MIB = 1 << 20;
  private static final int BLOCK = 16 << 10;
  private static final int BLOCKS = 300;

  @TempDir Path directory;

  /** Whose blocks they are, in the blocks themselves. */
  private static final long OURS = 1;

  private static final long OTHERS = 2;
  private List<FlashDrive> drives = List.of();

  @BeforeEach
  void nameDrives() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      Files.createDirectory(directory.resolve(name));
    }
    drives = List.of(drive("a", 8), drive("b", 8), drive("c", 4));
  }

  private FlashDrive drive(String name, int mebibytes) {
    return new FlashDrive(file(name), (long) mebibytes * MIB);
  }

  private Path file(String name) {
    return directory.resolve(name).resolve("cache");
  }

  private static BlockCache build(List<FlashDrive> drives) {
    return builder(drives).build();
  }

  private static BlockCacheBuilder builder(List<FlashDrive> drives) {
    return BlockCache.builder()
        .flash(drives)
        .expectedBlockBytes(BLOCK / 4) // So that no bucket of the index is ever full.
        .maxBlockBytes(BLOCK)
        .maintainedByCaller()
        .admission(AdmissionPresets.admitAll());
  }

  private static FileIdentity identity() {
    return FileIdentity.of("test", "file of both");
  }

  private static void fill(BlockCache cache, long whose) {
    cache.identify(whose, identity());
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer bytes = TestBlock.of(whose, block, BLOCK);
      cache.offer(whose, (long) block * BLOCK, bytes, Source.READ);
    }
  }

  /** Returns how many blocks there are, all of which must be those of one cache. */
  private static int hits(BlockCache cache, long whose) {
    cache.control().maintain();
    cache.identify(whose, identity());
    int hits = 0;
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    for (int block = 0; block < BLOCKS; block++) {
      if (cache.get(whose, (long) block * BLOCK, dst.clear()) != BlockCache.MISS) {
        TestBlock.assertMatches(dst.flip(), whose, block, BLOCK);
        hits++;
      }
    }
    return hits;
  }

  /** What the drives hold in whole regions depends on the length of these, and that on it. */
  @ParameterizedTest
  @CsvSource({"3, 11744051", "9, 3879731", "2, 20971520", "5, 6815744", "4, 7864320"})
  void shouldPlaceSixtyFourOfTheLongestBlocksInRegions(int count, long driveBytes)
      throws IOException {
    int longest = 300 << 10;
    List<FlashDrive> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(new FlashDrive(directory.resolve("drive" + i), driveBytes));
    }
    BlockCacheBuilder builder =
        BlockCache.builder()
            .flash(some)
            .maxBlockBytes(longest)
            .maintainedByCaller()
            .admission(AdmissionPresets.admitAll());
    try (BlockCache cache = builder.build()) {
      for (int block = 0; block < 3 * count; block++) {
        long offset = (long) block * longest;
        cache.offer(OURS, offset, TestBlock.of(OURS, block, longest), Source.READ);
        cache.control().maintain();
      }
      ByteBuffer dst = ByteBuffer.allocate(longest);
      for (int block = 0; block < 3 * count; block++) {
        assertThat(cache.get(OURS, (long) block * longest, dst.clear())).isEqualTo(longest);
        TestBlock.assertMatches(dst.flip(), OURS, block, longest);
      }
    }
  }

  private int filled() {
    try (BlockCache cache = build(drives)) {
      fill(cache, OURS);
      return hits(cache, OURS);
    }
  }

  private int found(List<FlashDrive> now) {
    try (BlockCache cache = build(now)) {
      return hits(cache, OURS);
    }
  }

  private void move(String from, String to) throws IOException {
    Files.move(file(from), file(to), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void shouldFindAllBlocksAgain() {
    assertThat(filled()).isEqualTo(BLOCKS);
    assertThat(found(drives)).isEqualTo(BLOCKS);
    assertThat(found(List.of(drives.get(2), drives.get(0), drives.get(1))))
        .as("in another order")
        .isEqualTo(BLOCKS);
    assertThat(found(drives)).isEqualTo(BLOCKS);
  }

  @Test
  void shouldFindAllBlocksOfDrivesThatChangedPlaces() throws IOException {
    filled();
    Files.move(file("a"), directory.resolve("aside"));
    move("b", "a");
    Files.move(directory.resolve("aside"), file("b"));
    assertThat(found(drives)).isEqualTo(BLOCKS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c"})
  void shouldFindTheOthersBlocksWithoutADrive(String missing) throws IOException {
    filled();
    Files.move(directory.resolve(missing), directory.resolve("aside"));
    int least = missing.equals("c") ? BLOCKS * 7 / 10 : BLOCKS / 2;
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isBetween(least, BLOCKS * 9 / 10);
      assertThat(cache.control().health().drives())
          .filteredOn(drive -> !drive.serves())
          .singleElement()
          .satisfies(drive -> assertThat(drive.trouble()).contains("directory does not exist"));
      cache.invalidate(OURS, 0);
    }
    Files.move(directory.resolve("aside"), directory.resolve(missing));
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).as("a block of the file was invalidated").isZero();
      assertThat(cache.control().health().drives()).allMatch(drive -> drive.serves());
      fill(cache, OURS);
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
    assertThat(found(drives)).isEqualTo(BLOCKS);
  }

  @Test
  void shouldReadBatchesFromAllDrives() {
    try (BlockCache cache = build(drives)) {
      fill(cache, OURS);
      long[] files = new long[BLOCKS];
      Arrays.fill(files, OURS);
      long[] offsets = new long[BLOCKS];
      ByteBuffer[] blocks = new ByteBuffer[BLOCKS];
      for (int block = 0; block < BLOCKS; block++) {
        offsets[block] = (long) block * BLOCK;
        blocks[block] = ByteBuffer.allocateDirect(BLOCK);
      }
      int[] lengths = new int[BLOCKS];
      assertThat(cache.getAll(BLOCKS, files, offsets, blocks, lengths)).isEqualTo(BLOCKS);
      for (int block = 0; block < BLOCKS; block++) {
        TestBlock.assertMatches(blocks[block].flip(), OURS, block, BLOCK);
      }
    }
  }

  @Test
  void shouldTakeANewDriveForOneThatIsGone() throws IOException {
    filled();
    Files.delete(file("b"));
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
      fill(cache, OURS);
    }
    assertThat(found(drives)).isEqualTo(BLOCKS);
  }

  /** The copy has what it had then; the drive itself has learnt of an invalidation since. */
  @Test
  void shouldNotTrustACopyThatWasMadeBeforeTheLastStart() throws IOException {
    filled();
    Path copy = directory.resolve("copy");
    Files.copy(file("a"), copy);
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
    Files.copy(copy, file("a"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(found(drives)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
  }

  @Test
  void shouldUseOneOfTwoCopiesOnly() throws IOException {
    filled();
    Files.copy(file("a"), file("b"), StandardCopyOption.REPLACE_EXISTING);
    assertThat(found(drives)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
    assertThat(found(drives)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
  }

  @Test
  void shouldBeginEmptyWithAnotherNumberOrLengthOfDrives() {
    filled();
    assertThat(found(drives.subList(0, 2))).isZero();
    filled();
    assertThat(found(List.of(drives.get(0), drives.get(1), drive("c", 6)))).isZero();
  }

  /** Nor is it taken, at the next start, for a drive with blocks in the clear, and filled again. */
  @Test
  void shouldLeaveNoBlockInTheClear_OnADriveThatIsTakenBack() throws IOException {
    filled();
    Path clear = directory.resolve("clear");
    Files.move(file("b"), clear);
    for (String name : List.of("a", "c")) {
      Files.delete(file(name));
    }
    KeyFile keys = new KeyFile(Files.write(directory.resolve("key"), new byte[32]));
    AtomicLong nanos = new AtomicLong();
    try (BlockCache cache =
        builder(drives).encrypted(keys).testing(TestHook.nanoTime(nanos::get)).build()) {
      fill(cache, OURS);
      Files.delete(file("b"));
      round(cache, nanos);
      Files.move(clear, file("b"));
      assertThat(blocksInTheClear(file("b"))).isPositive();
      for (int i = 0; i < 3; i++) { // What was on its way to the drive is tried first.
        cache.control().returnToService();
        round(cache, nanos);
      }
      assertThat(cache.control().health().drives()).allMatch(drive -> drive.serves());
      assertThat(blocksInTheClear(file("b"))).isZero();
      for (int i = 0; i < 3; i++) {
        fill(cache, OURS);
        round(cache, nanos);
      }
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
    try (BlockCache cache = builder(drives).encrypted(keys).build()) {
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
  }

  /** A round of the background work, a second after the last. */
  private static void round(BlockCache cache, AtomicLong nanos) {
    nanos.addAndGet(1_000_000_000);
    cache.control().maintain();
  }

  /** Returns how many of some blocks lie in a file as they are. */
  private static int blocksInTheClear(Path file) throws IOException {
    String all = Files.readString(file, StandardCharsets.ISO_8859_1);
    int found = 0;
    for (int block = 0; block < BLOCKS / 10; block++) {
      byte[] bytes = TestBlock.of(OURS, block, BLOCK).array();
      found += all.contains(new String(bytes, StandardCharsets.ISO_8859_1)) ? 1 : 0;
    }
    return found;
  }

  /** One drive of each of two caches: the blocks are of one of them. */
  @Test
  void shouldNeverMixTwoCaches() throws IOException {
    filled();
    List<FlashDrive> others = new ArrayList<>();
    for (String name : List.of("d", "e", "f")) {
      Files.createDirectory(directory.resolve(name));
      others.add(drive(name, name.equals("f") ? 4 : 8));
    }
    try (BlockCache cache = build(others)) {
      fill(cache, OTHERS);
    }
    move("d", "a");
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
    }
    Files.delete(file("e"));
    move("b", "e");
    try (BlockCache cache = build(others.subList(0, 2))) {
      assertThat(hits(cache, OTHERS)).isZero();
    }
  }

  /** The formats differ, though each file begins with the same mark. */
  @Test
  void shouldNotTakeOneOfSeveralForAWholeCache_NorAWholeOneForOneOfSeveral() {
    filled();
    try (BlockCache cache = build(List.of(drives.get(0)))) {
      assertThat(hits(cache, OURS)).isZero();
      fill(cache, OTHERS);
    }
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isBetween(BLOCKS / 2, BLOCKS * 7 / 10);
    }
  }

  @Test
  void shouldSealAllDrives() throws IOException {
    Path key = directory.resolve("key");
    Files.write(key, new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    KeyFile keys = new KeyFile(key);
    try (BlockCache cache = builder(drives).encrypted(keys).build()) {
      fill(cache, OURS);
    }
    byte[] plain = TestBlock.of(OURS, 5, BLOCK).array();
    byte[] part = Arrays.copyOf(plain, 64);
    for (FlashDrive drive : drives) {
      assertThat(new String(Files.readAllBytes(drive.path()), StandardCharsets.ISO_8859_1))
          .doesNotContain(new String(part, StandardCharsets.ISO_8859_1));
    }
    try (BlockCache cache = builder(drives).encrypted(keys).build()) {
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isZero();
      assertThat(cache.control().restore().state()).isEqualTo(RestoreReport.State.COLD);
    }
  }

  @Test
  void shouldForgetAllDrivesWithARestartThatIsCold() {
    filled();
    try (BlockCache cache = builder(drives).restart(Restart.COLD).build()) {
      assertThat(hits(cache, OURS)).isZero();
    }
    assertThat(found(drives)).isZero();
  }

  @Test
  void shouldHaveOneOwnerForEachFile() {
    try (BlockCache cache = build(drives)) {
      fill(cache, OURS);
      assertThatThrownBy(() -> build(List.of(drive("a", 8), drive("d", 8))))
          .hasMessageContaining("held by another cache of this process");
      assertThatThrownBy(() -> build(List.of(drives.get(1))))
          .hasMessageContaining("held by another cache of this process");
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
    assertThat(found(drives)).isEqualTo(BLOCKS);
  }

  @Test
  void shouldRefuseAFileThatIsNamedTwice() throws IOException {
    assertThatThrownBy(() -> build(List.of(drive("a", 8), drive("a", 8))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is named twice");
    Files.createLink(file("b"), Files.createFile(file("a")));
    assertThatThrownBy(() -> build(drives)).hasMessageContaining("held by another cache");
  }

  /** A path that was misspelt is no drive that is lost. */
  @Test
  void shouldRefuseANewCacheWithoutOneOfItsDrives_AndLeaveNothingBehind() throws IOException {
    assertThatThrownBy(() -> build(List.of(drives.get(0), drives.get(1), drive("misspelt", 8))))
        .hasMessageContaining("misspelt")
        .hasMessageContaining("directory does not exist");
    try (Stream<Path> left = Files.walk(directory)) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** Whatever keeps a cache from being built, the drives are as they were. */
  @Test
  void shouldLeaveDrivesAsTheyWereWhenNoCacheIsBuilt() throws IOException {
    filled();
    Files.delete(file("c"));
    Files.write(file("c"), new byte[] {1, 2, 3});
    assertThatThrownBy(() -> build(drives)).hasMessageContaining("overwriting");
    Files.delete(file("c"));
    byte[][] before = new byte[2][];
    for (int i = 0; i < 2; i++) {
      before[i] = Files.readAllBytes(drives.get(i).path());
    }
    assertThatThrownBy(
            () ->
                builder(drives)
                    .eviction(
                        context -> {
                          throw new IllegalStateException("no policy");
                        })
                    .build())
        .hasMessage("no policy");
    assertThat(file("c")).doesNotExist();
    for (int i = 0; i < 2; i++) { // Except for the mark, which says who opened it last.
      byte[] after = Files.readAllBytes(drives.get(i).path());
      assertThat(Arrays.equals(after, 4096, after.length, before[i], 4096, after.length)).isTrue();
    }
    try (BlockCache cache = build(drives)) {
      assertThat(hits(cache, OURS)).isBetween(BLOCKS * 7 / 10, BLOCKS * 9 / 10);
    }
  }

  @Test
  void shouldShareTheCapacity() {
    List<Path> paths = List.of(file("a"), file("b"), file("c"));
    try (BlockCache cache =
        BlockCache.builder().flash(paths, 24 * MIB).maintainedByCaller().build()) {
      assertThat(cache.stats().capacityBytes()).isBetween(22L * MIB, 24L * MIB);
      assertThat(cache.control().health().drives()).hasSize(3);
      assertThat(cache.control().medium()).contains("flash on 3 drives");
    }
  }

  /** As one path does, in the format that it has always had. */
  @Test
  void shouldTakeAListOfOne() {
    try (BlockCache cache = build(drives.subList(0, 1))) {
      assertThat(cache.control().health().drives()).isEmpty();
      fill(cache, OURS);
    }
    try (BlockCache cache =
        BlockCache.builder()
            .flash(file("a"), 8 * MIB)
            .expectedBlockBytes(BLOCK / 4)
            .maxBlockBytes(BLOCK)
            .maintainedByCaller()
            .build()) {
      assertThat(hits(cache, OURS)).isEqualTo(BLOCKS);
    }
  }
}
