// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.control.Condition;
import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitTest {
  private static final long MIB = 1 << 20;
  private static final long MACHINE = 1024 * MIB;

  @TempDir private Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private long limit() {
    return MemoryLimit.of(root, MACHINE).bytes();
  }

  @Test
  void shouldReadTheGroupOfVersionTwo_AndTheLeastAboveIt() throws Exception {
    file("proc/self/cgroup", "0::/kubepods/pod1/box\n");
    file("sys/fs/cgroup/kubepods/pod1/box/memory.max", "max\n");
    file("sys/fs/cgroup/kubepods/pod1/memory.max", 400 * MIB + "\n");
    file("sys/fs/cgroup/kubepods/memory.max", 800 * MIB + "\n");
    assertThat(limit()).isEqualTo(400 * MIB);
  }

  /** A container sees the path of its host, and of the tree its own part alone. */
  @Test
  void shouldReadTheMountWhereTheGroupIsNotSeen() throws Exception {
    file("proc/self/cgroup", "5:cpu:/a\n4:memory:/docker/0123\n0::/\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", 300 * MIB + "\n");
    assertThat(limit()).isEqualTo(300 * MIB);
  }

  @Test
  void shouldTakeTheMachinesWhereNoGroupHasALimit() throws Exception {
    assertThat(limit()).as("no groups at all").isEqualTo(MACHINE);
    file("proc/self/cgroup", "4:memory:/../../x\n0::/\nnonsense\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory.max", "many\n");
    assertThat(limit()).isEqualTo(MACHINE);
  }

  @Test
  void shouldNameBothNumbersAndTheParts() throws Exception {
    file("proc/self/cgroup", "0::/\n");
    file("sys/fs/cgroup/memory.max", 400 * MIB + "\n");
    MemoryLimit limit = MemoryLimit.of(root, MACHINE);

    assertThat(limit.excess(100 * MIB, 100 * MIB, 200 * MIB)).isNull();
    assertThat(limit.excess(100 * MIB, 100 * MIB, 1024 * MIB))
        .isEqualTo(
            "the container has 419430400 bytes of memory, and this process may take 1283457024:"
                + " heap 104857600 + direct memory 104857600 + cache 1073741824; the kernel kills"
                + " what takes more");
    assertThat(limit.excess(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)).isNotNull();
    assertThat(MemoryLimit.of(root.resolve("none"), 0).excess(1, 1, 1)).as("unknown").isNull();
  }

  /** Built, and says so: with a heap that no machine has. */
  public static final class Overcommitted {
    private Overcommitted() {}

    public static void main(String[] args) {
      try (BlockCache cache = BlockCache.builder().nativeMemory(8 * MIB).build()) {
        System.out.println(cache.control().conditions().get(Condition.MEMORY_OVERCOMMITTED));
      }
    }
  }

  @Test
  void shouldBeAConditionOfACacheThatAsksForTooMuch() throws Exception {
    assertThat(
            ChildJvm.run(
                List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmx8t", "-XX:TieredStopAtLevel=1"),
                Overcommitted.class))
        .contains("WARN", "MEMORY_OVERCOMMITTED began")
        .contains("this process may take 8")
        .contains("lower capacityBytes or -Xmx");
  }
}
