// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryGroupTest {
  private static final long LIMIT_BYTES = 64L << 20;

  @TempDir private Path directory;

  @Test
  void shouldMoveProcessAndMoveItBack() throws Exception {
    Process child = new ProcessBuilder("sleep", "60").start();
    try {
      String before = groupsOf(child);
      try (MemoryGroup group = makeIfAllowed()) {
        group.add(child.pid());
        assertThat(groupsOf(child)).contains("nvcache-" + ProcessHandle.current().pid());
      }
      assertThat(groupsOf(child)).isEqualTo(before);
      assertThat(groupDirectories()).as("removed").isEmpty();
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  private static List<Path> groupDirectories() throws IOException {
    String name = "nvcache-" + ProcessHandle.current().pid();
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        Path.of("/sys/fs/cgroup"),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path group, BasicFileAttributes attributes) {
            if (group.endsWith(name)) {
              found.add(group);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path gone, IOException e) {
            return FileVisitResult.CONTINUE; // Other groups come and go.
          }
        });
    return found;
  }

  @Test
  void shouldMakeGroupAnewThatKilledProcessLeft() throws Exception {
    makeIfAllowed(); // Left, with no process in it.
    MemoryGroup.make(LIMIT_BYTES).close();
  }

  private static MemoryGroup makeIfAllowed() {
    MemoryGroup group = null;
    try {
      group = MemoryGroup.make(LIMIT_BYTES);
    } catch (IOException e) {
      assumeThat(e).as("control groups").isNull();
    }
    return assertThat(group).isNotNull().actual();
  }

  private static String groupsOf(Process process) throws IOException {
    return Files.readString(Path.of("/proc/" + process.pid() + "/cgroup"));
  }

  @Test
  void shouldMakeNoGroupWithoutLimit() throws Exception {
    try (MemoryGroup group = MemoryGroup.make(0, directory)) {
      group.add(ProcessHandle.current().pid());
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldRefuseSystemWithoutControlGroups() throws Exception {
    Path process = process("proc /proc proc rw 0 0", "0::/");
    assertThatThrownBy(() -> MemoryGroup.make(LIMIT_BYTES, process))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot limit memory: no control groups are mounted");
  }

  /** Of the second version, the group is made next to the process's own. */
  @Test
  void shouldRefuseGroupThatLimitsNoMemory() throws Exception {
    Path slice = Files.createDirectories(directory.resolve("cgroup/user.slice"));
    Files.createDirectories(slice.resolve("session.scope"));
    Path process =
        process(
            "cgroup2 " + directory.resolve("cgroup") + " cgroup2 rw 0 0",
            "0::/user.slice/session.scope");
    assertThatThrownBy(() -> MemoryGroup.make(LIMIT_BYTES, process))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith(
            "no memory controller is handed down to the control groups in " + slice);
    assertThat(slice).isDirectoryNotContaining("glob:**/nvcache-*");
  }

  @Test
  void shouldNameGroupThatCannotBeMade() throws Exception {
    Path mount = directory.resolve("gone");
    Path process = process("cgroup " + mount + " cgroup rw,memory 0 0", "4:memory:/host/path");
    assertThatThrownBy(() -> MemoryGroup.make(LIMIT_BYTES, process))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "cannot make the control group .*/gone/nvcache-[0-9]+; are you root\\?");
  }

  private Path process(String mounts, String groups) throws IOException {
    Path process = Files.createDirectory(directory.resolve("self"));
    Files.writeString(process.resolve("mounts"), mounts + "\n");
    Files.writeString(process.resolve("cgroup"), groups + "\n");
    return process;
  }
}
