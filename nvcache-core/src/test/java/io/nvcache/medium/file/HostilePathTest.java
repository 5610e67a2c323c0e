// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.ForeignFile;
import io.nvcache.medium.MappedAccess;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.Wipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A cache writes to the file it was given, readable to its owner only, and to no other. */
@EnabledOnOs(OS.LINUX)
final class HostilePathTest {
  private static final int CAPACITY = 8192;

  @TempDir Path directory;

  private void assertRefused(Path path, String why) {
    assertThatThrownBy(() -> MappedFileMedium.create(path, CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path.toString())
        .hasMessageContaining(why);
  }

  @Test
  void shouldRefuseASymbolicLink() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "mine");
    Path link = Files.createSymbolicLink(directory.resolve("link"), precious);
    assertRefused(link, "symbolic link; name the file itself");
    assertThat(precious).hasContent("mine");
    assertThatThrownBy(() -> Wipe.mappedFile(link)).isInstanceOf(IOException.class);
    assertThat(precious).hasContent("mine");
  }

  @Test
  void shouldRefuseALinkToWhatIsNotThereYet() throws IOException {
    Path target = directory.resolve("created-elsewhere");
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    assertRefused(link, "symbolic link");
    assertThat(target).doesNotExist();
  }

  @Test
  void shouldRefuseAPathThatClimbs() throws IOException {
    Path inside = Files.createDirectory(directory.resolve("inside"));
    assertRefused(inside.resolve("../outside"), "climbs up with '..'; write the path out");
    assertThat(directory.resolve("outside")).doesNotExist();
  }

  @Test
  void shouldRefuseWhatIsNoFile() throws Exception {
    assertRefused(directory, "it is a directory");
    assertRefused(Path.of("/dev/null"), "a device, a pipe or a socket");
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertRefused(pipe, "a device, a pipe or a socket");
  }

  /** Between the opening and the mapping, as whoever may write to the directory could. */
  @Test
  void shouldMapTheFileItHoldsThoughThePathLeadsElsewhereByNow() throws IOException {
    Path precious = Files.write(directory.resolve("precious"), new byte[CAPACITY]);
    Path path = directory.resolve("medium");
    LockedFile held = LockedFile.open(path);
    Path moved = Files.move(path, directory.resolve("moved"));
    Files.createSymbolicLink(path, precious);

    try (MappedFile mapped = MappedFile.over(held, path, CAPACITY, ForeignFile.REFUSED)) {
      MappedAccess.of(mapped.address(), CAPACITY)
          .write(5000, ByteBuffer.wrap(new byte[] {42}), 0, 1);
      mapped.check();
    }

    assertThat(Files.readAllBytes(precious)).containsOnly(0);
    assertThat(Files.readAllBytes(moved)[5000]).isEqualTo((byte) 42);
  }

  /** Between the opening of one channel and the next, as a user who may write there could. */
  @Test
  void shouldNotTakeAnotherFileThatLiesAtThePathByNow() throws IOException {
    Path path = directory.resolve("f");
    FlashMedium.create(path, CAPACITY).close();
    Path other = Files.copy(path, directory.resolve("other"));
    byte[] before = Files.readAllBytes(other);
    LockedFile held = LockedFile.open(path, LockedFile.Access.DIRECT);
    Files.move(path, directory.resolve("moved"));
    Files.move(other, path);

    assertThatThrownBy(() -> DirectFile.over(held, path, CAPACITY, ForeignFile.REFUSED))
        .isInstanceOf(IOException.class)
        .hasMessage(path + " was replaced while it was opened; try again");

    assertThat(Files.readAllBytes(path)).isEqualTo(before);
  }

  @Test
  void shouldTakeAwayOthersPermissions() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    try (Medium medium = MappedFileMedium.create(file, CAPACITY)) {
      assertThat(medium.capacityBytes()).isEqualTo(CAPACITY);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  /** What is found is opened and what is missing is made, whoever changes it in between. */
  @Test
  void shouldTakeNoFileThatAppearsOrGoesWhileItIsOpened() throws IOException {
    for (LockedFile.Access access : LockedFile.Access.values()) {
      Path bait = Files.createFile(directory.resolve("bait" + access));
      assertThatThrownBy(() -> new FileOpening(bait, access).create())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another process made it while it was opened; try again");
      Path link = Files.createSymbolicLink(directory.resolve("link" + access), bait);
      assertThatThrownBy(() -> new FileOpening(link, access).create())
          .hasMessageContaining("another process made it");
      assertThatThrownBy(() -> new FileOpening(link, access).existing())
          .isInstanceOf(IOException.class);
      Path gone = directory.resolve("gone" + access);
      assertThatThrownBy(() -> new FileOpening(gone, access).existing())
          .hasMessageContaining("it was deleted or replaced while it was opened; try again");
      assertThat(gone).doesNotExist();
      assertThat(bait).isEmptyFile();
    }
  }

  /** Needs root, to whom another user's file opens. */
  @Test
  void shouldRefuseAFileOfAnotherUser() throws IOException {
    Path file = directory.resolve("file");
    MappedFileMedium.create(file, CAPACITY).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    try {
      Files.setAttribute(file, "unix:uid", 12_345);
    } catch (FileSystemException e) {
      Assumptions.abort("files can't be given away here");
    }
    byte[] before = Files.readAllBytes(file);

    assertRefused(file, "it belongs to user 12345 with mode rw-rw----");

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw----");
  }

  /** Between the opening and the look at owner and mode. */
  @Test
  void shouldLookAtTheFileThatIsOpenThoughThePathLeadsElsewhereByNow() throws IOException {
    Path path = Files.createFile(directory.resolve("medium"));
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    LockedFile held = LockedFile.open(path);
    Path moved = Files.move(path, directory.resolve("moved"));
    Files.createFile(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));

    held.takeOver(ForeignFile.REFUSED, 4096);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(moved)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-r--r--");
    held.requireLength(0); // Still locked.
    held.close();
  }

  /** Its length is 0, and what is written to it fails: "Input/output error" says not where. */
  @Test
  void shouldNameAFileThatCannotBeWritten() {
    Path memory = Path.of("/proc/self/mem");
    assertThatThrownBy(() -> MappedFileMedium.create(memory, 64 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/proc/self/mem");
  }
}
