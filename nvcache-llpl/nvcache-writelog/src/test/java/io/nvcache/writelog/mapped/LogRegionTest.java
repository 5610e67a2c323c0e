// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Pmdk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogRegion;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each way to write the log's memory must do. */
class LogRegionTest {
  private static final LogLayout LAYOUT = new LogLayout(2, 1 << 20, 4, 1, 0);

  @TempDir private Path directory;

  private LogFile open(Persistence persistence) throws IOException {
    if (persistence == Persistence.PMDK && !Pmdk.isRun()) {
      abort("PMDK is not here");
    }
    try {
      return LogFile.open(directory.resolve("log"), LAYOUT, persistence, Durability.NONE);
    } catch (IOException e) {
      if (persistence == Persistence.SYNC_MAPPING && e.getMessage().contains("dax")) {
        abort("there is no persistent memory here");
      }
      throw e;
    }
  }

  /** The system's call fails for memory that is not mapped any more as for a broken disk. */
  @Test
  void shouldTellAFailedMsyncAsAFailedSync() throws Exception {
    int bytes = 1 << 28; // So long that nothing else is mapped in its place meanwhile.
    Path file = directory.resolve("sparse");
    try (FileChannel channel = FileChannel.open(file, CREATE_NEW, READ, WRITE)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      MappedRegion region = new MappedRegion(mapped, Persistence.MSYNC);
      region.persist(0, bytes);
      unmap(mapped);
      assertThatThrownBy(() -> region.persist(0, bytes)).isExactlyInstanceOf(IOException.class);
    }
  }

  private static void unmap(MappedByteBuffer buffer) throws ReflectiveOperationException {
    Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
    unsafe.setAccessible(true);
    Class<?> type = unsafe.getType();
    type.getMethod("invokeCleaner", ByteBuffer.class).invoke(unsafe.get(null), buffer);
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatIsStored(Persistence persistence) throws IOException {
    byte[] expected = new byte[1 << 20];
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (LogFile log = open(persistence)) {
      LogRegion region = log.lane(1);
      assertThat(region.bytes()).isEqualTo(expected.length);
      ByteBuffer model = ByteBuffer.wrap(expected).order(java.nio.ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < 300; i++) {
        int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 9000);
        int at = random.nextInt(expected.length - length - 8);
        store(region, model, at, length, random);
        region.persist(at, length);
      }
      byte[] read = new byte[expected.length];
      region.get(0, ByteBuffer.wrap(read), 0, read.length);
      assertThat(read).as("seed %d", seed).isEqualTo(expected);
      CRC32C sum = new CRC32C();
      region.sum(sum, 100, 5000);
      CRC32C ofModel = new CRC32C();
      ofModel.update(expected, 100, 5000);
      assertThat(sum.getValue()).isEqualTo(ofModel.getValue());
      ByteBuffer view = region.view(77, 1000);
      assertThat(view.isReadOnly()).isTrue();
      assertThat(view).isEqualTo(ByteBuffer.wrap(expected, 77, 1000));
    }
    byte[] file = Files.readAllBytes(directory.resolve("log"));
    int begin = (int) LAYOUT.laneOffset(1);
    assertThat(ByteBuffer.wrap(file, begin, expected.length))
        .as("the file, seed %d", seed)
        .isEqualTo(ByteBuffer.wrap(expected));
  }

  /** By what the system says of the mapping of the lane, in kB. */
  @Test
  void shouldMapTheLanesOfALogInMemoryAtOnce() throws IOException {
    Path memory = Path.of("/dev/shm");
    Path mappings = Path.of("/proc/self/smaps");
    assumeThat(Files.isWritable(memory) && Files.isReadable(mappings)).isTrue();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
    Path path = Files.createTempFile(memory, "nvcache", ".log");
    Files.delete(path);
    try (LogFile log = LogFile.open(path, LAYOUT, Persistence.EMULATED, Durability.NONE)) {
      List<String> lines = Files.readAllLines(mappings);
      List<Integer> resident = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).endsWith(path.toString())) {
          String size = lines.get(i + 1);
          if (size.startsWith("Size:") && kilobytes(size) == LAYOUT.laneBytes() >> 10) {
            resident.add(kilobytes(residentOf(lines, i)));
          }
        }
      }
      assertThat(resident).hasSize(log.layout().lanes()).containsOnly(LAYOUT.laneBytes() >> 10);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static String residentOf(List<String> lines, int mapping) {
    return lines.subList(mapping, lines.size()).stream()
        .filter(line -> line.startsWith("Rss:"))
        .findFirst()
        .orElseThrow();
  }

  private static int kilobytes(String line) {
    return Integer.parseInt(line.replaceAll("[^0-9]", ""));
  }

  private static void store(LogRegion region, ByteBuffer model, int at, int length, Random random) {
    int word = at / 8 * 8;
    switch (random.nextInt(3)) {
      case 0 -> {
        long value = random.nextLong();
        region.putLong(word, value);
        model.putLong(word, value);
        assertThat(region.getLong(word)).isEqualTo(value);
      }
      case 1 -> {
        int value = random.nextInt();
        region.putInt(word, value);
        model.putInt(word, value);
        assertThat(region.getInt(word)).isEqualTo(value);
      }
      default -> {
        ByteBuffer source =
            random.nextBoolean()
                ? ByteBuffer.allocate(length + 7)
                : ByteBuffer.allocateDirect(length + 7);
        for (int i = 0; i < source.capacity(); i++) {
          source.put(i, (byte) random.nextInt());
        }
        source.position(3);
        region.put(at, source, 5, length);
        assertThat(source.position()).as("the source's position").isEqualTo(3);
        model.put(at, source, 5, length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseWhatIsOutside(Persistence persistence) throws IOException {
    try (LogFile log = open(persistence)) {
      LogRegion region = log.lane(0);
      int end = region.bytes();
      assertThatThrownBy(() -> region.putLong(end - 4, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.put(end - 10, ByteBuffer.allocateDirect(4096), 0, 4096))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> region.getLong(-8)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
