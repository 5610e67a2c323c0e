// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.file.FileAsker;
import io.nvcache.medium.file.FileHolder;
import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MappedFileMediumTest extends MediumContract {
  @TempDir Path directory;

  @Override
  protected Medium open(long capacityBytes) throws IOException {
    return MappedFileMedium.create(directory.resolve("contract"), capacityBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -4096})
  void shouldRefuseACapacityThatIsNone(long capacity) {
    assertThatThrownBy(() -> MappedFileMedium.create(directory.resolve("f"), capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is " + capacity);
  }

  @Test
  void shouldWriteThroughToAFileOfItsOwnerInWholePages() throws IOException {
    Path file = directory.resolve("f");
    byte[] text = "in the file".getBytes(StandardCharsets.US_ASCII);
    try (Medium medium = MappedFileMedium.create(file, 10_000)) {
      medium.write(9_000, ByteBuffer.wrap(text));
      medium.persist(9_000, text.length);
      assertThat(medium.durability()).isEqualTo(Durability.PROCESS_CRASH);
      assertThat(medium.describe()).contains(file.toString());
    }
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).as("whole pages and the mark").hasSize(12_288 + 4096);
    assertThat(new String(bytes, 9_000, text.length, StandardCharsets.US_ASCII))
        .isEqualTo("in the file");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void shouldTakeOverAndClearAnExistingFile() throws IOException {
    Path file = directory.resolve("f");
    try (Medium earlier = MappedFileMedium.create(file, 50_000)) {
      earlier.write(0, ByteBuffer.wrap("x".repeat(50_000).getBytes(StandardCharsets.US_ASCII)));
    }

    MappedFileMedium.create(file, 10_000).close();

    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).hasSize(12_288 + 4096);
    assertThat(Arrays.copyOf(bytes, 12_288)).containsOnly(0);
  }

  @Test
  void shouldNotLeaveTheFileSparse() throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = MappedFileMedium.create(file, 8 << 20)) {
      Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
      try (InputStream out = du.getInputStream()) {
        String line = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Long.parseLong(line.substring(0, line.indexOf('\t'))))
            .isGreaterThanOrEqualTo(8 << 20);
      }
      assertThat(medium.capacityBytes()).isEqualTo(8 << 20);
    }
  }

  @Test
  void shouldUnmapWhenItIsClosed() throws IOException {
    Path file = directory.resolve("f");
    Medium medium = MappedFileMedium.create(file, 1 << 20);
    assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(file.toString());
    medium.close();
    assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(file.toString());
  }

  @Test
  void shouldKeepATakenOverFileToItsOwner() throws IOException {
    Path file = Files.createFile(directory.resolve("f"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    MappedFileMedium.create(file, 4096).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void shouldSayThatTheDirectoryIsMissing() {
    Path file = directory.resolve("nowhere/f");
    assertThatThrownBy(() -> MappedFileMedium.create(file, 4096))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("directory does not exist");
  }

  @Test
  void shouldRefuseWhatIsNoFile() throws Exception {
    Path pipe = directory.resolve("pipe");
    Process mkfifo = new ProcessBuilder("mkfifo", "-m", "644", pipe.toString()).start();
    assertThat(mkfifo.waitFor()).isZero();

    assertThatThrownBy(() -> MappedFileMedium.create(pipe, 4096))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "can't use " + pipe + " as a medium: it is a device, a pipe or a socket; name a file");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(pipe)))
        .as("left as it was")
        .isEqualTo("rw-r--r--");
  }

  @Test
  void shouldSayThatThePathIsADirectory() {
    assertThatThrownBy(() -> MappedFileMedium.create(directory, 4096))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it is a directory");
  }

  @Test
  void shouldRefuseAndLeaveNothingWhenTheDiskIsTooSmall() {
    Path file = directory.resolve("f");
    assertThatThrownBy(() -> MappedFileMedium.create(file, 1L << 60))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no space for " + file)
        .hasMessageContaining((1L << 60) + 4096 + " bytes asked for");
    assertThat(file).doesNotExist();
  }

  @Test
  void shouldRefuseAFileThatAnotherCacheOfThisProcessHolds() throws IOException {
    Path file = directory.resolve("f");
    try (Medium first = MappedFileMedium.create(file, 4096)) {
      first.write(0, ByteBuffer.wrap(new byte[] {42}));
      assertThatThrownBy(() -> MappedFileMedium.create(file, 4096))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("held by another cache of this process");
      ByteBuffer read = ByteBuffer.allocate(1);
      first.read(0, read, 1);
      assertThat(read.get(0)).as("left as it was").isEqualTo((byte) 42);
    }
    MappedFileMedium.create(file, 4096).close();
  }

  @Test
  void shouldRefuseAFileThatAnotherProcessHolds() throws Exception {
    assertRefusedWhileAnotherProcessHolds(directory.resolve("f"));
  }

  @Test
  void shouldRefuseAFileThatAnotherProcessTookOver() throws Exception {
    Path file = directory.resolve("f");
    MappedFileMedium.create(file, 4096).close();
    assertRefusedWhileAnotherProcessHolds(file);
  }

  private static void assertRefusedWhileAnotherProcessHolds(Path file) throws Exception {
    Process holder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    FileHolder.class.getName(),
                    file.toString()))
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(holder.inputReader().readLine()).isEqualTo("held");
      assertThatThrownBy(() -> MappedFileMedium.create(file, 4096))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("held by another process");
    } finally {
      holder.destroy();
      assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    MappedFileMedium.create(file, 4096).close();
  }

  private static void assertRefusedToAnotherProcess(Path file) throws Exception {
    assertThat(ChildJvm.run(FileAsker.class, file.toString()))
        .contains("it is held by another process");
  }

  @Test
  void shouldHoldAFileThatItTookOver() throws Exception {
    Path file = directory.resolve("f");
    MappedFileMedium.create(file, 4096).close();
    try (Medium medium = MappedFileMedium.create(file, 4096)) {
      medium.check();
      assertRefusedToAnotherProcess(file);
    }
    assertThat(ChildJvm.run(FileAsker.class, file.toString())).contains("taken");
  }

  @Test
  void shouldHoldItsFileThoughAnotherCacheOfThisProcessWasRefused() throws Exception {
    Path file = directory.resolve("f");
    Path otherName = directory.resolve("link");
    try (Medium medium = MappedFileMedium.create(file, 4096)) {
      Files.createLink(otherName, file);
      for (Path name : List.of(file, otherName)) {
        assertThatThrownBy(() -> MappedFileMedium.create(name, 4096))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("held by another cache of this process");
      }
      medium.check();
      assertRefusedToAnotherProcess(file);
    }
  }

  @Test
  void shouldHoldItsFileThoughItsWipeWasRefused() throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = MappedFileMedium.create(file, 4096)) {
      assertThatThrownBy(() -> Wipe.mappedFile(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("held by another cache of this process");
      medium.check();
      assertRefusedToAnotherProcess(file);
    }
  }

  @Test
  void shouldHoldItsFileThoughAnInterruptedThreadUsesIt() throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = MappedFileMedium.create(file, 4096)) {
      Thread.currentThread().interrupt();
      medium.check();
      medium.persist(0, 4096);
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      assertRefusedToAnotherProcess(file);
    }
  }

  @Test
  void shouldLeaveNothingWhenItIsCreatedByAnInterruptedThread() throws IOException {
    Path file = directory.resolve("f");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> MappedFileMedium.create(file, 4096)).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(file).doesNotExist();
    MappedFileMedium.create(file, 4096).close();
  }

  @Test
  void shouldDoWithItsFileAtCloseWhatWasAskedFor() throws IOException {
    for (CloseAction atClose : CloseAction.values()) {
      Path file = directory.resolve(atClose.name());
      Path otherName = directory.resolve(atClose + "-link");
      try (Medium medium = MappedFileMedium.create(file, 8192, atClose)) {
        Files.createLink(otherName, file);
        medium.write(5000, ByteBuffer.wrap(new byte[] {42}));
      }

      assertThat(Files.exists(file)).isEqualTo(atClose == CloseAction.KEEP);
      assertThat(Files.readAllBytes(otherName)[5000])
          .as(atClose.name())
          .isEqualTo((byte) (atClose == CloseAction.WIPE ? 0 : 42));
    }
  }

  @Test
  void shouldWipeWhatWasLeftUnlessACacheHoldsIt() throws IOException {
    Path file = directory.resolve("file");
    Path otherName = directory.resolve("link");
    try (Medium medium = MappedFileMedium.create(file, 8192)) {
      Files.createLink(otherName, file);
      medium.write(5000, ByteBuffer.wrap(new byte[] {42}));
      assertThatThrownBy(() -> Wipe.mappedFile(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it is held by");
    }

    Wipe.mappedFile(file);

    assertThat(file).doesNotExist();
    assertThat(Files.readAllBytes(otherName)).hasSize(8192 + 4096).containsOnly(0);
    assertThatThrownBy(() -> Wipe.mappedFile(file)).hasMessageContaining("not a file that exists");
    assertThatThrownBy(() -> Wipe.mappedFile(directory))
        .hasMessageContaining("not a file that exists");
  }
}
