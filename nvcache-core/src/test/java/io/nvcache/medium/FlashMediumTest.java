// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nvcache.medium.file.FileAsker;
import io.nvcache.medium.file.FlashImage;
import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FlashMediumTest extends MediumContract {
  private static final int CAPACITY = 1 << 20;
  private static final int O_DIRECT = 040000;

  @TempDir Path directory;

  @Override
  protected Medium open(long capacityBytes) throws IOException {
    return FlashMedium.create(directory.resolve("contract"), capacityBytes);
  }

  private static ByteBuffer block(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static void assertHolds(Medium medium, long offset, ByteBuffer expected)
      throws IOException {
    ByteBuffer read = ByteBuffer.allocate(expected.remaining());
    medium.read(offset, read, read.capacity());
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void shouldReadIntoABufferThatIsDirectAndAligned_WhateverItsPositionIs() throws IOException {
    try (Medium medium = FlashMedium.create(directory.resolve("f"), CAPACITY)) {
      int granule = medium.alignmentBytes();
      ByteBuffer written = block(7, 4 * granule);
      medium.write(0, written);
      ByteBuffer dst = ByteBuffer.allocateDirect(6 * granule).alignedSlice(granule);
      assertThat(medium.readsInto(dst, granule)).isTrue();
      assertThat(medium.readsInto(dst, granule + 8)).isFalse();
      assertThat(medium.readsInto(dst.asReadOnlyBuffer(), granule)).isFalse();
      assertThat(medium.readsInto(ByteBuffer.allocate(2 * granule), 0)).isFalse();

      for (int position : new int[] {0, 5, 3 * granule}) {
        dst.clear().position(position);
        medium.read(granule, dst, granule, 2 * granule);
        assertThat(dst.slice(granule, 2 * granule)).isEqualTo(written.slice(granule, 2 * granule));
        assertThat(dst.position()).isEqualTo(position);
        assertThat(dst.limit()).isEqualTo(dst.capacity());
        dst.clear().put(0, new byte[dst.capacity()]);
      }
      assertThatThrownBy(() -> medium.read(0, dst, 4 * granule, 4 * granule))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> medium.read(CAPACITY, dst, 0, granule))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** Threads that share a view would read into each other's buffers. */
  @Test
  void shouldReadIntoTheBufferOfEachOfManyThreads() throws Exception {
    try (Medium medium = FlashMedium.create(directory.resolve("f"), CAPACITY)) {
      int granule = medium.alignmentBytes();
      int blocks = CAPACITY / granule;
      for (int block = 0; block < blocks; block++) {
        medium.write((long) block * granule, block(block, granule));
      }
      CompletableFuture<?>[] readers = new CompletableFuture<?>[8];
      for (int i = 0; i < readers.length; i++) {
        int first = i;
        readers[i] =
            CompletableFuture.runAsync(
                () -> {
                  ByteBuffer one = ByteBuffer.allocateDirect(2 * granule).alignedSlice(granule);
                  ByteBuffer other = ByteBuffer.allocateDirect(2 * granule).alignedSlice(granule);
                  for (int n = 0; n < 500; n++) {
                    int block = (first + n * 7) % blocks;
                    ByteBuffer dst = n % 3 == 0 ? other : one;
                    try {
                      medium.read((long) block * granule, dst, 0, granule);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                    assertThat(dst.slice(0, granule)).isEqualTo(block(block, granule));
                  }
                },
                task -> new Thread(task).start());
      }
      CompletableFuture.allOf(readers).get(1, TimeUnit.MINUTES);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -4096, (1L << 60) + 1})
  void shouldRefuseACapacityThatIsNone(long capacity) {
    assertThatThrownBy(() -> FlashMedium.create(directory.resolve("f"), capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is " + capacity);
  }

  @Test
  void shouldPassThePageCacheByOnEveryDescriptor() throws IOException {
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      int descriptors = 0;
      try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
        for (Path descriptor : open) {
          if (Files.isSymbolicLink(descriptor)
              && Files.readSymbolicLink(descriptor).equals(file.toRealPath())) {
            assertThat(flags(descriptor.getFileName()) & O_DIRECT).isNotZero();
            descriptors++;
          }
        }
      }
      assertThat(descriptors).isGreaterThan(1);
      assertThat(medium.describe()).contains(file.toString()).contains("direct I/O");
    }
  }

  private static int flags(Path descriptor) throws IOException {
    String info = Files.readString(Path.of("/proc/self/fdinfo").resolve(descriptor));
    String flags = info.substring(info.indexOf("flags:") + 6).lines().findFirst().orElse("0");
    return Integer.parseInt(flags.strip(), 8);
  }

  @Test
  void shouldReadIntoAMappedBufferWhateverItsLimit() throws IOException {
    try (Medium medium = FlashMedium.create(directory.resolve("f"), CAPACITY);
        FileChannel other =
            FileChannel.open(
                directory.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      medium.write(0, block(1, 100));
      ByteBuffer mapped = other.map(FileChannel.MapMode.READ_WRITE, 0, 4096).limit(0);

      medium.read(0, mapped, 7, 100);

      assertThat(mapped.limit()).isZero();
      assertThat(mapped.clear().slice(7, 100)).isEqualTo(block(1, 100));
    }
  }

  @Test
  void shouldWriteWholeGranulesAndNothingOfEarlierBlocks() throws IOException {
    Path file = directory.resolve("f");
    int granule;
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      granule = medium.alignmentBytes();
      medium.write(0, block(1, 3 * granule)); // Leaves its bytes in the buffer.
      medium.write(0, block(2, granule + 1));
      assertHolds(medium, 0, block(2, granule + 1));
      assertHolds(medium, granule + 1, ByteBuffer.allocate(granule - 1));
      assertHolds(medium, 2L * granule, block(1, 3 * granule).position(2 * granule).slice());
      assertThatThrownBy(() -> medium.write(512, block(1, 10)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("offset is 512; writes begin at multiples of " + granule);
      medium.persist(0, granule);
      assertThat(medium.durability()).isEqualTo(Durability.POWER_FAIL);
    }
    assertThat(Files.size(file)).isEqualTo(CAPACITY + granule);
    byte[] kept = new byte[granule + 1];
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(ByteBuffer.wrap(kept), granule);
    }
    assertThat(kept).isEqualTo(block(2, granule + 1).array());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void shouldFillAFileOnceAndNeverLeaveItSparse() throws Exception {
    Path file = directory.resolve("f");
    Files.createFile(file);
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      assertThat(SystemCommands.allocatedBytes(file)).isGreaterThanOrEqualTo(CAPACITY);
      assertHolds(medium, 0, ByteBuffer.allocate(CAPACITY));
      medium.write(8192, block(1, 4096));
    }
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      assertHolds(medium, 8192, block(1, 4096)); // Of the same length: left as it was.
    }
    try (Medium medium = FlashMedium.create(file, 2 * CAPACITY)) {
      assertThat(SystemCommands.allocatedBytes(file)).isGreaterThanOrEqualTo(2 * CAPACITY);
      assertHolds(medium, 0, ByteBuffer.allocate(2 * CAPACITY));
    }
    try (FileChannel foreign = FileChannel.open(file, StandardOpenOption.WRITE)) {
      foreign.write(
          ByteBuffer.wrap(new byte[] {77}), 9); // One byte of the mark is not what it was.
      foreign.write(block(1, 100), 8192);
    }
    try (Medium medium = FlashMedium.create(file, 2 * CAPACITY)) {
      assertHolds(medium, 0, ByteBuffer.allocate(2 * CAPACITY));
    }
  }

  @Test
  void shouldReadAndWriteOnInInterruptedThreads() throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      Thread.currentThread().interrupt();
      medium.write(0, block(1, 5000));
      assertHolds(medium, 0, block(1, 5000));
      medium.persist(0, 5000);
      medium.check();
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      assertThat(ChildJvm.run(FileAsker.class, file.toString()))
          .contains("it is held by another process");
    }
  }

  @Test
  void shouldSurviveInterruptsThatMeetThreadsInside() throws Exception {
    try (Medium medium = FlashMedium.create(directory.resolve("f"), CAPACITY)) {
      medium.write(0, block(1, 16 << 10));
      CompletableFuture<Void> done = new CompletableFuture<>();
      Thread reader =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < 5_000; i++) {
                    assertHolds(medium, 0, block(1, 16 << 10));
                  }
                  done.complete(null);
                } catch (IOException | RuntimeException | Error e) {
                  done.completeExceptionally(e);
                }
              });
      reader.start();
      while (!done.isDone()) {
        reader.interrupt();
        Thread.onSpinWait();
      }
      done.get();
      medium.check();
    }
  }

  @Test
  void shouldFailAndSaySoWhenItsFileIsCutShort() throws IOException {
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      medium.write(CAPACITY / 2, block(1, 8192));
      try (FileChannel foreign = FileChannel.open(file, StandardOpenOption.WRITE)) {
        foreign.truncate(CAPACITY / 2 + 2 * medium.alignmentBytes());
      }
      assertThatThrownBy(medium::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file + " was cut short to ");
      assertThatThrownBy(() -> assertHolds(medium, CAPACITY / 2, block(1, 8192)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file + " ends within 8192 bytes at ");
      assertThatThrownBy(() -> assertHolds(medium, CAPACITY - 4096, block(1, 4096)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it was cut short");
      assertHolds(medium, 0, ByteBuffer.allocate(100));
    }
  }

  @Test
  void shouldSayThatItsFileWasDeletedOrReplaced() throws IOException {
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      medium.check();
      Files.move(file, directory.resolve("away"));
      assertThatThrownBy(medium::check)
          .isInstanceOf(IOException.class)
          .hasMessage(file + " was deleted; close the cache and build it again");
      Files.writeString(file, "another's");
      assertThatThrownBy(medium::check)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was replaced by another file");
      Files.delete(file);
      Files.move(directory.resolve("away"), file);
      medium.check();
    }
  }

  @Test
  void shouldHoldItsFileAgainstAllOthers() throws Exception {
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      assertThatThrownBy(() -> FlashMedium.create(file, CAPACITY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("held by another cache of this process");
      assertThatThrownBy(() -> MappedFileMedium.create(file, CAPACITY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("held by another cache of this process");
      medium.check();
      assertThat(ChildJvm.run(FileAsker.class, file.toString()))
          .contains("it is held by another process");
    }
    assertThat(ChildJvm.run(FileAsker.class, file.toString())).contains("taken");
  }

  /** POSIX ends all locks of a file that the process has when it closes any descriptor of it. */
  @Test
  void shouldKeepItsLockThoughItsProcessWantsToReadTheFile() throws Exception {
    Path file = directory.resolve("f");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      for (Path name : new Path[] {file, link}) {
        assertThatThrownBy(() -> FlashImage.open(name).close())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("a cache of this process has it open");
      }
      medium.check();
      assertThat(ChildJvm.run(FileAsker.class, file.toString()))
          .contains("it is held by another process");
    }
    FlashImage image = FlashImage.open(file);
    FlashImage another = FlashImage.open(link);
    image.close();
    image.close();
    assertThatThrownBy(() -> FlashMedium.create(file, CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("held by an inspection in this process");
    another.close();
    FlashMedium.create(file, CAPACITY).close();
  }

  /** A file of procfs is a regular one, which takes no direct I/O. */
  @Test
  void shouldSayThatAFileSystemRefusesDirectAccess() {
    Path file = Path.of("/proc/self/comm");
    assertThatThrownBy(() -> FlashMedium.create(file, CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "can't open /proc/self/comm: its file system (proc) refuses direct I/O; name a file on"
                + " ext4 or XFS of a local disk, or use native memory instead of a file in memory");
  }

  @Test
  void shouldRefuseAndLeaveNothingWhenTheFileCannotBeHad() throws IOException {
    Path file = directory.resolve("f");
    assertThatThrownBy(() -> FlashMedium.create(file, 1L << 60))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no space for " + file);
    assertThat(file).doesNotExist();
    assertThatThrownBy(() -> FlashMedium.create(directory.resolve("nowhere/f"), CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("directory does not exist");
    assertThatThrownBy(() -> FlashMedium.create(Path.of("/dev/null"), CAPACITY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a device, a pipe or a socket");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> FlashMedium.create(file, CAPACITY)).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(file).doesNotExist();
    FlashMedium.create(file, CAPACITY).close();
  }

  @Test
  void shouldDoWithItsFileAtCloseWhatWasAskedFor() throws IOException {
    for (CloseAction atClose : CloseAction.values()) {
      Path file = directory.resolve(atClose.name());
      Path otherName = directory.resolve(atClose + "-link");
      Medium medium = FlashMedium.create(file, CAPACITY, atClose);
      Files.createLink(otherName, file);
      medium.write(8192, ByteBuffer.wrap(new byte[] {42}));
      int granule = medium.alignmentBytes();
      medium.close();
      assertThatCode(medium::close).as("again").doesNotThrowAnyException();

      assertThat(Files.exists(file)).isEqualTo(atClose == CloseAction.KEEP);
      assertThat(Files.readAllBytes(otherName)[8192 + granule])
          .as(atClose.name())
          .isEqualTo((byte) (atClose == CloseAction.WIPE ? 0 : 42));
      assertThatThrownBy(() -> medium.read(0, ByteBuffer.allocate(1), 1))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldTakeABlockDeviceThatIsBlankOrItsOwn() throws Exception {
    Path image = directory.resolve("image");
    Files.write(image, new byte[8 << 20]);
    Path device = attach(image);
    try {
      Path name = Files.createSymbolicLink(directory.resolve("by-id"), device);
      String before = PosixFilePermissions.toString(Files.getPosixFilePermissions(device));
      try (Medium medium = FlashMedium.create(name, CAPACITY, CloseAction.DELETE)) {
        medium.write(8192, block(1, 20_000));
        assertHolds(medium, 8192, block(1, 20_000));
        medium.check();
        assertThat(medium.describe()).contains(device.toString());
        assertThatThrownBy(() -> FlashMedium.create(device, CAPACITY))
            .hasMessageContaining("held by another cache");
      }
      assertThat(device).exists();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(device)))
          .isEqualTo(before);
      FlashMedium.create(device, 2 * CAPACITY).close(); // Another length of an earlier cache's.
      assertThatThrownBy(() -> FlashMedium.create(device, 8 << 20))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the device has " + (8 << 20) + "; lower the capacity");
    } finally {
      SystemCommands.run("losetup", "-d", device.toString());
    }
  }

  /** A device is not filled, and blocks in the clear would stay on it. */
  @Test
  void shouldRefuseToEncryptOnADeviceThatWasWrittenInTheClear() throws Exception {
    Path image = directory.resolve("image");
    Files.write(image, new byte[8 << 20]);
    Path device = attach(image);
    try {
      for (int life = 0; life < 2; life++) {
        try (Medium medium = FlashMedium.create(device, CAPACITY)) {
          medium.prepareEncryption();
          medium.write(8192, block(1, 20_000));
        }
      }
      try (Medium medium = FlashMedium.create(device, CAPACITY)) {
        medium.write(8192, block(1, 20_000));
        assertThatThrownBy(medium::prepareEncryption).hasMessageContaining("in the clear");
      }
      try (Medium medium = FlashMedium.create(device, CAPACITY)) {
        assertThatThrownBy(() -> EncryptedMedium.over(medium))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("blkdiscard -z " + device);
      }
    } finally {
      SystemCommands.run("losetup", "-d", device.toString());
    }
  }

  @Test
  void shouldRefuseABlockDeviceThatHoldsSomethingElse() throws Exception {
    for (long at : new long[] {1080, 65_600, (8 << 20) - 4096}) {
      Path image = directory.resolve("image" + at);
      Files.write(image, new byte[8 << 20]);
      try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {(byte) 0x53, (byte) 0xef}), at);
      }
      Path device = attach(image);
      try {
        assertThatThrownBy(() -> FlashMedium.create(device, CAPACITY))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("it holds something that no cache wrote")
            .hasMessageContaining("blkdiscard -z " + device);
      } finally {
        SystemCommands.run("losetup", "-d", device.toString());
      }
      assertThat(Files.readAllBytes(image)[(int) at]).isEqualTo((byte) 0x53);
    }
  }

  /** What divides a device into partitions keeps the boot code, where the mark is. */
  @Test
  void shouldRefuseADeviceOfItsOwnThatHasPartitionsByNow() throws Exception {
    Path image = directory.resolve("image");
    Files.write(image, new byte[8 << 20]);
    Path device = attach(image);
    try {
      FlashMedium.create(device, CAPACITY).close();
      FlashMedium.create(device, CAPACITY).close();
    } finally {
      SystemCommands.run("losetup", "-d", device.toString());
    }
    byte[] signature = {0x55, (byte) 0xaa};
    try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(signature), 510);
    }
    Path divided = attach(image);
    try {
      assertThatThrownBy(() -> FlashMedium.create(divided, CAPACITY))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it holds something that no cache wrote");
    } finally {
      SystemCommands.run("losetup", "-d", divided.toString());
    }
    assertThat(Files.readAllBytes(image)[510]).isEqualTo(signature[0]);
  }

  /** Needs root, and a kernel with loop devices. */
  private static Path attach(Path image) throws Exception {
    Process losetup =
        new ProcessBuilder("losetup", "--show", "-f", image.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(losetup.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeThat(losetup.waitFor()).as(output).isZero();
    return Path.of(output.strip());
  }
}
