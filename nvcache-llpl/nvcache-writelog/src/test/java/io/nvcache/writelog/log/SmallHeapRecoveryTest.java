// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.Recovery;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recovery of a log that is longer than the heap. */
class SmallHeapRecoveryTest {
  private static final String HEAP = "-Xmx64m";
  private static final int RECORDS = 100_000;
  private static final int RECORD_BYTES = 2048;
  private static final int LANE_BYTES = 256 << 20;
  private static final int PAGES = 16_000;
  private static final int PAGE_BYTES = 4096;

  @TempDir private Path directory;

  /** Fills a log as a program does that is killed, and recovers it. */
  static final class Program {
    private Program() {}

    /** Takes a directory; prints how many bytes were replayed. */
    public static void main(String[] args) throws IOException {
      Path root = Path.of(args[0]);
      LogLayout layout = new LogLayout(1, LANE_BYTES, 64, 1, 0);
      LogSettings settings =
          new LogSettings(
              List.of(root),
              root.resolve("orphans"),
              true,
              TimeUnit.SECONDS.toNanos(60),
              Propagation.DEFERRED,
              LogSettings.DEFAULT_BATCH_RECORDS);
      try (LogFile log =
          LogFile.open(
              root.resolve("log"), layout, Persistence.EMULATED, Durability.PROCESS_CRASH)) {
        Disk disk = new PlatformDisk();
        LogEngine engine =
            new LogEngine(log, log.layout(), disk, settings, System::currentTimeMillis);
        Path path = root.resolve("file");
        LoggedFile file = open(engine, path);
        ByteBuffer[] record = {ByteBuffer.allocateDirect(RECORD_BYTES)};
        SplittableRandom places = new SplittableRandom(1);
        for (int i = 0; i < RECORDS; i++) {
          record[0].clear().putInt(0, i);
          file.write(record, 0, 1, places.nextInt(PAGES) * (long) PAGE_BYTES);
        }
        // Nothing drains this engine, so the log is as after a crash.
        System.out.println(
            new Recovery(log, log.layout(), disk, settings, System::currentTimeMillis)
                .run(false)
                .bytes());
      }
    }

    private static LoggedFile open(LogEngine engine, Path path) throws IOException {
      engine.names().lock();
      try {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return engine.open(path, key, true);
      } finally {
        engine.names().unlock();
      }
    }
  }

  @Test
  void shouldRecoverALogLongerThanItsHeap() throws Exception {
    Path root = directory.toRealPath();
    Path path = Files.createFile(root.resolve("file"));
    Path said = root.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                    .replaceAll(File.pathSeparator + "+$", ""),
                Program.class.getName(),
                root.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(said)).contains(Long.toString((long) RECORDS * RECORD_BYTES));

    SplittableRandom places = new SplittableRandom(1);
    int[] last = new int[PAGES];
    Arrays.fill(last, -1);
    for (int i = 0; i < RECORDS; i++) {
      last[places.nextInt(PAGES)] = i;
    }
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      for (int page = 0; page < PAGES; page++) {
        if (last[page] >= 0) {
          assertThat(file.read(number.clear(), page * (long) PAGE_BYTES)).isEqualTo(Integer.BYTES);
          assertThat(number.getInt(0)).as("page %d", page).isEqualTo(last[page]);
        }
      }
    }
  }
}
