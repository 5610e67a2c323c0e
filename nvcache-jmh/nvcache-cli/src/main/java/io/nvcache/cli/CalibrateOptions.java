// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.calibrate.CalibrationRun.Settings;
import io.nvcache.cli.kit.MediumOptions;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.device.MediumChoice;
import io.nvcache.report.Figures;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of what to measure, and for how long. */
final class CalibrateOptions {
  private static final long TIB = 1L << 40;
  private static final int MAX_BLOCK_BYTES = 16 << 20;

  /** One part in so many of the machine's memory. */
  private static final int LEFT_TO_OTHERS = 5;

  /** As the paper's figures (SoCC '22, Figs. 1 and 2). */
  private static final int PAPERS_THREADS = 8;

  /** Threads that wait for a drive need no processors. */
  private static final String DRIVES_READERS = "8";

  /** As many as a cache lets write to one. */
  private static final String DRIVES_WRITERS = "4";

  @Option(
      names = "--medium",
      paramLabel = "MEDIUM",
      required = true,
      description =
          "native (memory), mapped (a file), flash (a file, past the page cache), llpl (a heap on"
              + " persistent memory) or emulated-nvram (memory at the speed of the paper's Optane).")
  private String medium = "";

  @Option(
      names = "--path",
      paramLabel = "PATH",
      description =
          "The file of --medium mapped, flash or llpl, or a directory for heaps of llpl; removed at the"
              + " end.")
  private @Nullable Path path;

  @Option(
      names = "--nvram-scale",
      paramLabel = "FACTOR",
      description =
          "Speed of --medium emulated-nvram, 0.001 to 1000; 1 = the paper's two DIMMs. Default: 1.")
  private @Nullable String nvramScale;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "512MiB",
      description =
          "Size of the medium, and of the memory it is compared with: several times the processor's"
              + " cache, 16MiB to 1TiB. Default: ${DEFAULT-VALUE}.")
  private String size = "";

  @Option(
      names = "--block-bytes",
      paramLabel = "SIZE",
      defaultValue = "16KiB",
      description = "Length of one read or write, 256B to 16MiB. Default: ${DEFAULT-VALUE}.")
  private String blockBytes = "";

  @Option(
      names = "--readers",
      paramLabel = "N",
      description =
          "The most threads that read, 1 to 256. Default: 8 on flash, else half of the processors, at"
              + " most 8.")
  private @Nullable String readers;

  @Option(
      names = "--writers",
      paramLabel = "N",
      description =
          "The most threads that write, 1 to 256. Default: 4 on flash, else half of the processors, at"
              + " most 8.")
  private @Nullable String writers;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "Time for all measurements, 1 to 86400. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "How often each point is measured, 2 to 100, after once to warm up. Default:"
              + " ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Option(
      names = "--max-read-loss",
      paramLabel = "PERCENT",
      defaultValue = "100%",
      description =
          "The part of read bandwidth that overhead may cost at worst, 1%% to 100%%. Default:"
              + " ${DEFAULT-VALUE}, no bound but the rule's own.")
  private String maxReadLoss = "";

  /**
   * Reads the options.
   *
   * @param choice of the medium
   * @param memoryBytes the machine's memory; 0 if it is not known
   */
  Settings read(OptionReader reader, MediumChoice choice, long memoryBytes) {
    boolean isDrive = choice == MediumChoice.FLASH;
    String threads = Integer.toString(defaultThreads());
    String usualReaders = isDrive ? DRIVES_READERS : threads;
    String usualWriters = isDrive ? DRIVES_WRITERS : threads;
    int maxWriters =
        (int) reader.wholeNumber("--writers", writers == null ? usualWriters : writers, 1, 256);
    int block = (int) reader.size("--block-bytes", blockBytes, 256, MAX_BLOCK_BYTES);
    // Two blocks for each writer in its half; on a drive, two of the chunks that regions take.
    long leastBytes =
        Math.max(16L << 20, 4L * maxWriters * (isDrive ? Math.max(block, 1 << 20) : block));
    long bytes = reader.size("--size", size, leastBytes, TIB);
    if (!isDrive) { // Else there is no memory to compare with.
      requireMemory(reader, choice.isMemory() ? 2 * bytes : bytes, memoryBytes);
    }
    return new Settings(
        (int) reader.wholeNumber("--readers", readers == null ? usualReaders : readers, 1, 256),
        maxWriters,
        block,
        bytes / 4096 * 4096,
        Duration.ofSeconds(reader.wholeNumber("--seconds", seconds, 1, 86_400)),
        (int) reader.wholeNumber("--rounds", rounds, 2, 100),
        reader.percentage("--max-read-loss", maxReadLoss, 1, 100));
  }

  /** The system may promise more memory than there is, and end the process that uses it. */
  private void requireMemory(OptionReader reader, long neededBytes, long memoryBytes) {
    if (memoryBytes > 0 && neededBytes > memoryBytes / LEFT_TO_OTHERS * (LEFT_TO_OTHERS - 1)) {
      throw reader.wrong(
          "--size",
          size
              + " takes "
              + Figures.bytes(neededBytes)
              + " of memory, more than four fifths of this machine's "
              + Figures.bytes(memoryBytes)
              + "; lower it");
    }
  }

  MediumOptions medium(OptionReader reader) {
    return MediumOptions.read(reader, medium, path, nvramScale);
  }

  private static int defaultThreads() {
    return Math.max(1, Math.min(PAPERS_THREADS, Runtime.getRuntime().availableProcessors() / 2));
  }
}
