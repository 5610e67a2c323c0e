// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a sysfs made of files, as Linux lays it out. */
final class DrivesTest {
  @TempDir private Path directory;

  private final Map<Path, Long> numbers = new HashMap<>();
  private Path sys;
  private Drives drives;

  @BeforeEach
  void makeDisks() throws IOException {
    sys = Files.createDirectory(directory.resolve("sys")).toRealPath();
    Files.createDirectories(sys.resolve("dev/block"));
    drives =
        new Drives(
            sys,
            path -> {
              Long number = numbers.get(path);
              if (number == null) {
                throw new IOException("no device of " + path);
              }
              return number;
            });
  }

  /** Adds a device under its name and its number, which packs as the kernel does. */
  private Path device(String name, int major, int minor) throws IOException {
    Path device = Files.createDirectories(sys.resolve("devices").resolve(name));
    Files.createDirectories(device.resolve("slaves"));
    Files.writeString(device.resolve("dev"), major + ":" + minor + "\n");
    Files.createSymbolicLink(sys.resolve("dev/block").resolve(major + ":" + minor), device);
    return device;
  }

  private static void makeOf(Path device, Path... parts) throws IOException {
    for (Path part : parts) {
      Files.createSymbolicLink(device.resolve("slaves").resolve(part.getFileName()), part);
    }
  }

  private Path file(String name, int major, int minor) {
    Path file = Path.of("/" + name);
    long low = (minor & 0xffL) | ((major & 0xfffL) << 8);
    numbers.put(file, low | ((minor & ~0xffL) << 12) | ((major & ~0xfffL) << 32));
    return file;
  }

  @Test
  void shouldTakePartitionsForTheirDisk() throws IOException {
    device("nvme0n1", 259, 0);
    Files.writeString(device("nvme0n1/nvme0n1p1", 259, 1).resolve("partition"), "1\n");
    Files.writeString(device("nvme0n1/nvme0n1p2", 259, 2).resolve("partition"), "2\n");
    assertThat(drives.of(file("data", 259, 1))).containsExactly("259:0");
    assertThat(drives.of(file("cache", 259, 2))).containsExactly("259:0");
    assertThat(drives.of(file("dev/nvme0n1", 259, 0))).containsExactly("259:0");
  }

  @Test
  void shouldTakeVolumesForTheDisksThatTheyAreMadeOf() throws IOException {
    Path one = device("sda", 8, 0);
    Path other = device("sdb", 8, 16);
    Path part = device("sda/sda1", 8, 1);
    Files.writeString(part.resolve("partition"), "1\n");
    Path array = device("md0", 9, 0);
    makeOf(array, part, other);
    makeOf(device("dm-0", 252, 0), array);
    makeOf(device("dm-1", 252, 1), one);
    assertThat(drives.of(file("striped", 252, 0))).containsExactlyInAnyOrder("8:0", "8:16");
    assertThat(drives.of(file("encrypted", 252, 1))).containsExactly("8:0");
  }

  @Test
  void shouldLookBehindLoopDevices() throws IOException {
    device("vda", 254, 0);
    Path loop = Files.createDirectories(device("loop300", 7, 300).resolve("loop"));
    Files.writeString(loop.resolve("backing_file"), file("images/disk.img", 254, 0) + "\n");
    assertThat(drives.of(file("mounted", 7, 300))).containsExactly("254:0");
  }

  @Test
  void shouldTakeAFileSystemWithoutADeviceForItself() throws IOException {
    assertThat(drives.of(file("tmp", 0, 35))).containsExactly("0:35");
  }

  @Test
  void shouldNotGoRoundInACircle() throws IOException {
    Path one = device("dm-7", 252, 7);
    makeOf(one, one);
    assertThatThrownBy(() -> drives.of(file("odd", 252, 7))).isInstanceOf(IOException.class);
  }

  @Test
  void shouldFindTheDriveOfThisMachinesFiles() throws IOException {
    Path file = Files.createFile(directory.resolve("f"));
    assertThat(new Drives().of(file)).isNotEmpty().isEqualTo(new Drives().of(directory));
    assertThat(new Drives().of(Path.of("/proc")))
        .doesNotContainAnyElementsOf(new Drives().of(file));
  }
}
