// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.memory.SmallFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the drives that a path lies on, by sysfs(5) of Linux: the disk of a partition, the disks of
 * a volume of the device mapper or of an MD array, the file behind a loop device.
 *
 * <p>A file system that shows its own device, such as Btrfs, ZFS, an overlay or one of a network,
 * means itself: that two paths of it share a drive is found, and that a path of it and one of
 * another file system do is not. Nor is it found of volumes of a hypervisor or a network.
 */
final class Drives {
  /** Volumes on volumes on loop devices end somewhere. */
  private static final int MAX_DEPTH = 16;

  private static final int BLOCK_DEVICE = 0060000; // Of the type in a file's mode: inode(7).
  private static final int TYPE_MASK = 0170000;

  private final Path sys;
  private final DeviceNumbers numbers;

  /** Tells the number of the device that a file lies on, or that a device file is. */
  @FunctionalInterface
  interface DeviceNumbers {
    long of(Path path) throws IOException;
  }

  /** Makes one that asks this machine. */
  Drives() {
    this(Path.of("/sys"), Drives::deviceNumber);
  }

  Drives(Path sys, DeviceNumbers numbers) {
    this.sys = sys;
    this.numbers = numbers;
  }

  private static long deviceNumber(Path path) throws IOException {
    boolean isDevice = ((int) Files.getAttribute(path, "unix:mode") & TYPE_MASK) == BLOCK_DEVICE;
    return (long) Files.getAttribute(path, isDevice ? "unix:rdev" : "unix:dev");
  }

  /**
   * Returns the drives by major and minor number, as {@code 259:0}.
   *
   * @param path a file, a directory or a block device
   * @throws UnsupportedOperationException if the system shows no numbers of devices
   */
  Set<String> of(Path path) throws IOException {
    Set<String> drives = new TreeSet<>();
    addDrives(path, 0, drives);
    return drives;
  }

  private void addDrives(Path path, int depth, Set<String> drives) throws IOException {
    String number = inWords(numbers.of(path));
    Path device = sys.resolve("dev/block").resolve(number);
    if (Files.exists(device)) {
      addDrivesOf(device.toRealPath(), depth, drives);
    } else {
      drives.add(number);
    }
  }

  private void addDrivesOf(Path device, int depth, Set<String> drives) throws IOException {
    if (depth > MAX_DEPTH) {
      throw new IOException(device + " lies on more than " + MAX_DEPTH + " devices");
    }
    Path whole =
        Files.exists(device.resolve("partition")) ? device.resolve("..").toRealPath() : device;
    Path behindLoop = whole.resolve("loop/backing_file");
    if (Files.exists(behindLoop)) {
      addDrives(Path.of(SmallFiles.text(behindLoop).strip()), depth + 1, drives);
      return;
    }
    boolean isMade = false;
    if (Files.isDirectory(whole.resolve("slaves"))) {
      try (DirectoryStream<Path> parts = Files.newDirectoryStream(whole.resolve("slaves"))) {
        for (Path part : parts) {
          isMade = true;
          addDrivesOf(part.toRealPath(), depth + 1, drives);
        }
      }
    }
    if (!isMade) {
      drives.add(SmallFiles.text(whole.resolve("dev")).strip());
    }
  }

  /**
   * Returns MAJOR:MINOR, of 64 bits as the kernel packs them: 8 low bits of the minor, 12 of the
   * major, the rest.
   */
  private static String inWords(long device) {
    long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xffff_f000L);
    long minor = (device & 0xff) | ((device >>> 12) & 0xffff_ff00L);
    return major + ":" + minor;
  }
}
