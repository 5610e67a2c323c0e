// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A memory control group of Linux, which running processes are moved to: what they touch from then
 * on counts against its limit, the page cache of what they read and write included. What they had
 * before stays out. So an engine that keeps its blocks in a file has as little page cache as it
 * would have where other programs use the memory.
 *
 * <p>A process that needs more memory than the limit, page cache aside, is killed by the system.
 * Its heap should be touched before it moves ({@code -XX:+AlwaysPreTouch}). For one thread.
 */
public final class MemoryGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGroup.class);
  private static final String PROCESSES = "cgroup.procs";
  private static final String OWN_NAME = "nvcache-" + ProcessHandle.current().pid();

  /** None where memory is not limited. */
  private final @Nullable Path group;

  /** Where processes go when the group ends. */
  private final Path home;

  private MemoryGroup(@Nullable Path group, Path home) {
    this.group = group;
    this.home = home;
  }

  /**
   * Makes an empty group.
   *
   * @param limitBytes what its processes may use; 0 for no limit, and no group
   * @throws IOException if the system has no such groups, or lets this process make none
   */
  public static MemoryGroup make(long limitBytes) throws IOException {
    return make(limitBytes, Path.of("/proc/self"));
  }

  /**
   * Makes an empty group next to others of this process.
   *
   * @param limitBytes what its processes may use; 0 for no limit, and no group
   * @param name that no other group of this process has
   * @throws IOException if the system has no such groups, or lets this process make none
   */
  public static MemoryGroup make(long limitBytes, String name) throws IOException {
    return make(limitBytes, Path.of("/proc/self"), OWN_NAME + "-" + name);
  }

  /** Makes a group where the {@code mounts} and {@code cgroup} of a process say. */
  static MemoryGroup make(long limitBytes, Path process) throws IOException {
    return make(limitBytes, process, OWN_NAME);
  }

  private static MemoryGroup make(long limitBytes, Path process, String name) throws IOException {
    if (limitBytes == 0) {
      return new MemoryGroup(null, process);
    }
    Places places = Places.of(process);
    Path group = places.parent.resolve(name);
    try {
      Files.deleteIfExists(group); // Of a process of this number that was killed.
      Files.createDirectory(group);
    } catch (IOException e) {
      throw new IOException("cannot make the control group " + group + "; are you root?", e);
    }
    Path limit = group.resolve(places.limitFile);
    if (!Files.exists(limit)) {
      Files.delete(group);
      throw new IOException(
          "cannot limit memory: no memory controller is handed down to the control groups in "
              + places.parent);
    }
    Files.writeString(limit, Long.toString(limitBytes));
    return new MemoryGroup(group, places.home);
  }

  /** Moves a process to the group, with all its threads. */
  public void add(long process) throws IOException {
    if (group != null) {
      Files.writeString(group.resolve(PROCESSES), Long.toString(process));
    }
  }

  /** Moves the processes back and removes the group; what it holds of the page cache is dropped. */
  @Override
  public void close() throws IOException {
    if (group == null) {
      return;
    }
    for (String process : Files.readAllLines(group.resolve(PROCESSES))) {
      Files.writeString(home.resolve(PROCESSES), process);
    }
    Path drop = group.resolve("memory.force_empty"); // Cgroup v2 has none, and needs none.
    if (Files.exists(drop)) {
      try {
        Files.writeString(drop, "0");
      } catch (IOException e) {
        LOG.debug("the page cache of {} was not dropped", group, e);
      }
    }
    Files.delete(group);
  }

  /**
   * Where a group is made.
   *
   * @param parent of the group
   * @param home the group that the process is in
   * @param limitFile of the group, which takes bytes
   */
  private record Places(Path parent, Path home, String limitFile) {
    static Places of(Path process) throws IOException {
      List<String> mounts = Files.readAllLines(process.resolve("mounts"));
      List<String> groups = Files.readAllLines(process.resolve("cgroup"));
      Optional<Path> first = mount(mounts, "cgroup", "memory");
      if (first.isPresent()) {
        Path home = home(first.get(), groups, "memory");
        return new Places(home, home, "memory.limit_in_bytes");
      }
      Path second =
          mount(mounts, "cgroup2", "")
              .orElseThrow(
                  () -> new IOException("cannot limit memory: no control groups are mounted"));
      Path home = home(second, groups, "");
      // In cgroup v2 a group that has processes, except for the root, has no limited ones in it.
      Path parent = home.equals(second) ? second : home.resolve("..").normalize();
      return new Places(parent, home, "memory.max");
    }

    /** Returns a mount point of a type. Lines are: device, directory, type, options. */
    private static Optional<Path> mount(List<String> mounts, String type, String option) {
      return mounts.stream()
          .map(line -> line.split(" ", 5))
          .filter(fields -> fields.length > 3 && fields[2].equals(type))
          .filter(fields -> option.isEmpty() || List.of(fields[3].split(",")).contains(option))
          .map(fields -> Path.of(fields[1]))
          .findFirst();
    }

    /**
     * Returns the group that a process is in. Lines are: number, controllers, path; cgroup v2 names
     * no controllers. In a container the path may be one that only its host sees.
     */
    private static Path home(Path mount, List<String> groups, String controller) {
      return groups.stream()
          .map(line -> line.split(":", 3))
          .filter(fields -> fields.length > 2 && List.of(fields[1].split(",")).contains(controller))
          .map(fields -> mount.resolve(fields[2].substring(1)))
          .filter(Files::isDirectory)
          .findFirst()
          .orElse(mount);
    }
  }
}
