// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heaps that grow in a directory, and heaps on several paths. */
@NeedsPmdk
final class HeapPlacesTest {
  private static final long MIB = 1 << 20;
  private static final int SMALL_CHUNKS = 20;
  private static final int CHUNKS_PER_HEAP = 8;

  @TempDir Path directory;

  private Path heaps() {
    return directory.resolve("heaps");
  }

  private LlplHeapMediumBuilder small(long capacityBytes) {
    return LlplHeapMedium.builder(capacityBytes).chunkShift(SMALL_CHUNKS);
  }

  private static ByteBuffer bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static void assertHoldsItsCapacity(Medium medium) throws IOException {
    int step = (int) (MIB / 2);
    // Backwards, so that the short last chunk is taken first.
    for (long at = medium.capacityBytes() - step; at >= 0; at -= step) {
      medium.write(at, bytes(at, step));
    }
    ByteBuffer read = ByteBuffer.allocate(step);
    for (long at = medium.capacityBytes() - step; at >= 0; at -= step) {
      medium.read(at, read, step);
      assertThat(read).as("at %d", at).isEqualTo(bytes(at, step));
    }
  }

  @Test
  void shouldMakeHeapsInADirectoryAsTheyAreNeeded() throws IOException {
    try (Medium medium = small(20 * MIB + MIB / 2).directory(heaps()).create()) {
      assertThat(heaps()).isDirectoryContaining("glob:**/heap-0000");
      assertThat(heaps().toFile().list()).hasSize(1);
      for (int chunk = 0; chunk <= CHUNKS_PER_HEAP; chunk++) {
        medium.write(chunk * MIB, bytes(chunk, 100));
        assertThat(heaps().toFile().list()).hasSize(chunk < CHUNKS_PER_HEAP ? 1 : 2);
      }
      assertHoldsItsCapacity(medium);
      assertThat(heaps().toFile().list()).hasSize(3);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLetOnlyTheOwnerIntoWhatItMakes() throws IOException {
    try (Medium medium = small(9 * MIB).directory(heaps()).create()) {
      assertHoldsItsCapacity(medium);
      assertThat(permissions(heaps())).isEqualTo("rwx------");
      assertThat(permissions(heaps().resolve("heap-0000"))).isEqualTo("rw-------");
      assertThat(permissions(heaps().resolve("heap-0001"))).isEqualTo("rw-------");
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void shouldDealOutChunksOverSeveralPaths() throws IOException {
    Path file = directory.resolve("file");
    try (Medium medium =
        small(5 * MIB + MIB / 2)
            .file(file)
            .directory(heaps())
            .file(directory.resolve("third"))
            .create()) {
      assertThat(file).hasSize(HeapFile.lengthFor(2 * MIB));
      assertThat(directory.resolve("third")).hasSize(HeapFile.lengthFor(MIB + MIB / 2));
      assertHoldsItsCapacity(medium);
      assertThat(medium.describe()).contains(file + " and " + heaps() + " and ");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldLeaveNothingWhenOneOfThePathsCantBeHad() {
    assertThatThrownBy(
            () ->
                small(3 * MIB)
                    .file(directory.resolve("file"))
                    .directory(heaps())
                    .file(directory.resolve("nowhere/file"))
                    .create())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("its directory does not exist");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldKeepADirectoryThatWasThereAndWhatIsInIt() throws IOException {
    Files.createDirectory(heaps());
    Files.writeString(heaps().resolve("another's"), "x");

    small(MIB).directory(heaps()).create().close();

    assertThat(heaps().toFile().list()).containsExactly("another's");
  }

  @Test
  void shouldKeepWhatSomebodyPutsIntoItsDirectory() throws IOException {
    Medium medium = small(MIB).directory(heaps()).create();
    Files.writeString(heaps().resolve("another's"), "x");

    medium.close();

    assertThat(heaps().toFile().list()).containsExactly("another's");
  }

  @Test
  void shouldRefuseADirectoryThatACacheHolds() throws IOException {
    try (Medium first = small(MIB).directory(heaps()).create()) {
      assertThatThrownBy(() -> small(MIB).directory(heaps()).create())
          .hasMessageContaining("held by another cache or process");
      first.write(0, bytes(1, 100));
    }
    small(MIB).directory(heaps()).create().close();
  }

  @Test
  void shouldRefuseADirectoryWithAFileOfAHeapsName() throws IOException {
    Files.createDirectory(heaps());
    Path file = Files.writeString(heaps().resolve("heap-0007"), "my notes");

    assertThatThrownBy(() -> small(MIB).directory(heaps()).create())
        .hasMessageContaining(file + ": it is not the heap of a cache");

    assertThat(file).hasContent("my notes");
    assertThat(heaps().toFile().list()).hasSize(1);
  }

  @Test
  void shouldRefuseAFileForADirectory() throws IOException {
    Files.createFile(heaps());

    assertThatThrownBy(() -> small(MIB).directory(heaps()).create())
        .hasMessage("can't use " + heaps() + " for heaps: it is not a directory; name one");
  }

  @Test
  void shouldRefuseMorePlacesThanChunksAndNone() {
    assertThatThrownBy(() -> small(MIB).file(heaps()).file(directory.resolve("b")).create())
        .hasMessageContaining("1048576 bytes are 1 chunks, too few for 2 places");
    assertThatThrownBy(() -> small(MIB).create()).hasMessageContaining("no place was named");
    assertThat(directory).isEmptyDirectory();
  }
}
