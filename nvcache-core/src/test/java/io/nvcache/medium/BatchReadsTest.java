// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.testing.ChildJvm;
import io.nvcache.testing.Race;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Batches of reads of flash: by io_uring where the JVM and the kernel have it, else by threads. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class BatchReadsTest {
  private static final int CAPACITY = 4 << 20;

  @TempDir Path directory;

  private Path file;
  private FlashMedium medium;
  private int granule;

  @BeforeEach
  void open() throws IOException {
    file = directory.resolve("f");
    medium = FlashMedium.create(file, CAPACITY);
    granule = medium.alignmentBytes();
    for (int i = 0; i < CAPACITY / granule; i++) {
      medium.write((long) i * granule, granules(i, 1));
    }
  }

  @AfterEach
  void close() {
    medium.close();
  }

  private ByteBuffer granules(int first, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * granule);
    for (int i = first; i < first + count; i++) {
      byte[] one = new byte[granule];
      new Random(i).nextBytes(one);
      bytes.put(one);
    }
    return bytes.flip();
  }

  private ByteBuffer aligned(int count) {
    return AlignedBuffer.allocate(count * granule, granule).first(count * granule);
  }

  private void assertRead(ReadBatch batch, int number) {
    assertThat(batch.isRead(number)).as("range %d", number).isTrue();
    int first = (int) (batch.offset(number) / granule);
    int count = batch.lengthBytes(number) / granule;
    ByteBuffer dst = batch.buffer(number);
    assertThat(dst.slice(dst.position(), count * granule)).isEqualTo(granules(first, count));
  }

  private ReadBatch randomBatch(Random random, int count) {
    ReadBatch batch = new ReadBatch(count);
    for (int i = 0; i < count; i++) {
      int granules = 1 + random.nextInt(4);
      int first = random.nextInt(CAPACITY / granule - granules);
      batch.add((long) first * granule, aligned(granules + 1), granules * granule);
    }
    return batch;
  }

  @Test
  void shouldReadAnyNumberOfRanges() {
    Random random = new Random(1);
    for (int count : new int[] {0, 1, 2, 8, 64, 65, 200}) {
      ReadBatch batch = randomBatch(random, count);
      medium.readAll(batch);
      for (int i = 0; i < count; i++) {
        assertRead(batch, i);
        assertThat(batch.buffer(i).position()).isZero();
        assertThat(batch.buffer(i).limit()).isGreaterThan(batch.lengthBytes(i));
      }
    }
  }

  @Test
  void shouldReadForManyThreadsAtOnce() throws Exception {
    Race.run(
        40, // More than there are rings, or threads to help.
        thread -> {
          Random random = new Random(thread);
          for (int round = 0; round < 20; round++) {
            ReadBatch batch = randomBatch(random, 1 + random.nextInt(12));
            medium.readAll(batch);
            for (int i = 0; i < batch.size(); i++) {
              assertRead(batch, i);
            }
          }
        });
  }

  @Test
  void shouldReadIntoBuffersThatDirectReadsDoNotTake() {
    ReadBatch batch = new ReadBatch(3);
    batch.add(granule, ByteBuffer.allocate(granule), granule);
    batch.add(2L * granule, aligned(2).position(8), granule);
    batch.add(3L * granule, aligned(1), granule);
    medium.readAll(batch);
    for (int i = 0; i < 3; i++) {
      assertRead(batch, i);
    }
  }

  @Test
  void shouldSayNothingOfRangesThatCanNotBeRead() throws IOException {
    try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
      cut.truncate(CAPACITY / 2); // Takes the lock with it; no other process wants it here.
    }
    ReadBatch batch = new ReadBatch(4);
    batch.add(0, aligned(1), granule);
    batch.add(CAPACITY - granule, aligned(1), granule);
    batch.add(CAPACITY / 2 - 2L * granule, aligned(2), 2 * granule); // Half of it is left.
    batch.add(3L * granule, aligned(1), granule);

    medium.readAll(batch);

    assertRead(batch, 0);
    assertThat(batch.isRead(1)).isFalse();
    assertThat(batch.isRead(2)).isFalse();
    assertRead(batch, 3);
  }

  @Test
  void shouldKeepAnInterruptAndReadNevertheless() {
    Thread.currentThread().interrupt();
    ReadBatch batch = randomBatch(new Random(3), 20);
    medium.readAll(batch);
    assertThat(Thread.interrupted()).isTrue();
    for (int i = 0; i < 20; i++) {
      assertRead(batch, i);
    }
    medium.readAll(batch); // No channel was closed.
    assertRead(batch, 0);
  }

  @Test
  void shouldLeaveNoDescriptorAndNoMappingOpen() throws IOException {
    medium.readAll(randomBatch(new Random(4), 20));
    medium.close();
    long descriptors = descriptors();
    long rings = rings();
    for (int i = 0; i < 5; i++) {
      try (FlashMedium again = FlashMedium.create(directory.resolve("g"), CAPACITY)) {
        again.readAll(randomBatch(new Random(4), 20));
      }
    }
    assertThat(descriptors()).isEqualTo(descriptors);
    assertThat(rings()).isEqualTo(rings);
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  private static long rings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("io_uring"))
        .count();
  }

  /** Not by io_uring, in whose wait it would hold its carrier. */
  @Test
  void shouldHaveThreadsHelpAVirtualThread() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
    ReadBatch batch = randomBatch(new Random(5), 8);
    long before = helpers();
    Thread thread =
        (Thread)
            Thread.class
                .getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) () -> medium.readAll(batch));
    thread.join();
    for (int i = 0; i < 8; i++) {
      assertRead(batch, i);
    }
    assertThat(helpers()).isGreaterThan(before);
  }

  private static long helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("nvcache-reads"))
        .count();
  }

  @Test
  void shouldSayByWhatBatchesAreRead() {
    String by =
        Runtime.version().feature() >= 22 ? "(io_uring|up to 8 threads)" : "up to 8 threads";
    assertThat(medium.describe()).containsPattern("batches by " + by + "$");
    assertThat(medium.readsAtOnce()).isGreaterThan(1);
  }

  @Test
  void shouldDoWithoutIoUringWhereItIsRefused() throws Exception {
    String output =
        ChildJvm.run(
            List.of("-Dnvcache.batches=threads"), Refused.class, directory.resolve("h").toString());
    assertThat(output)
        .contains("batches by up to 8 threads")
        .containsOnlyOnce("are made by up to 8 threads, not by io_uring");
  }

  /** Opens flash where io_uring is not to be used. */
  static final class Refused {
    private Refused() {}

    public static void main(String[] args) throws IOException {
      try (FlashMedium medium = FlashMedium.create(Path.of(args[0]), 1 << 20)) {
        ReadBatch batch = new ReadBatch(2);
        int granule = medium.alignmentBytes();
        batch.add(0, AlignedBuffer.allocate(granule, granule).first(granule), granule);
        batch.add(granule, AlignedBuffer.allocate(granule, granule).first(granule), granule);
        medium.readAll(batch);
        if (!batch.isRead(0) || !batch.isRead(1)) {
          throw new AssertionError("not read");
        }
        System.out.println(medium.describe());
      }
    }
  }
}
