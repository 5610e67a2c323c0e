// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hunt: processes one after the other, each with its part of the steps. A process that ends
 * otherwise than well, by a crash of the JVM too, is the finding that ends the hunt.
 */
public final class Hunt {
  /** In one process: enough for compiled code, few enough to begin again now and then. */
  private static final long STEPS_EACH = 100_000;

  private static final String STEPS = HuntedProcess.TRACE;
  private static final String OUTPUT = "output";
  private static final String CRASH = "hs_err.log";
  private static final int MANY_LINES = 200;

  private final Path directory;
  private final long seed;
  private final long steps;
  private final List<String> planted;
  private @Nullable Class<? extends MediumMaker> media;
  private long taken;

  /**
   * Prepares a hunt.
   *
   * @param directory for the files of the hunt
   * @param seed what to begin with; the first round of the first process has this very seed
   * @param steps how many to take at least
   * @param planted what to do on purpose, to see it found
   */
  public Hunt(Path directory, long seed, long steps, String... planted) {
    this.directory = directory;
    this.seed = seed;
    this.steps = steps;
    this.planted = List.of(planted);
  }

  /** Has the caches and the media hunted be of a class of {@link MediumMaker}. */
  public Hunt after(Class<? extends MediumMaker> kind) {
    media = kind;
    return this;
  }

  /** Hunts, and tells what was found; empty if nothing was. */
  public String run() throws IOException, InterruptedException {
    SplittableRandom seeds = new SplittableRandom(seed);
    long next = seed;
    for (int process = 0; taken < steps; process++) {
      String found = part(directory.resolve("process" + process), next);
      if (!found.isEmpty()) {
        return found;
      }
      next = seeds.nextLong();
    }
    return "";
  }

  /** How many steps were taken. */
  public long taken() {
    return taken;
  }

  private String part(Path place, long partSeed) throws IOException, InterruptedException {
    Files.createDirectories(place);
    long wanted = Math.min(STEPS_EACH, steps - taken);
    List<String> flags = new ArrayList<>();
    flags.addAll(
        List.of(
            "-Xmx256m",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + place.resolve(CRASH),
            // What fails on purpose would fill it; that it can be written to is of no use.
            "-Dorg.slf4j.simpleLogger.logFile=" + place.resolve("log"),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"));
    if (media != null) {
      flags.add("-D" + HuntedProcess.MEDIA + "=" + media.getName());
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(place.toString(), "" + partSeed, "" + wanted));
    arguments.addAll(planted);
    Process process =
        new ProcessBuilder(ChildJvm.command(flags, HuntedProcess.class, arguments))
            .redirectErrorStream(true)
            .redirectOutput(place.resolve(OUTPUT).toFile())
            .start();
    int exit;
    try {
      exit = process.waitFor(); // It watches itself for steps that do not end.
    } finally {
      process.destroyForcibly();
    }
    long here = StepTrace.count(place.resolve(STEPS));
    taken += here;
    boolean crashed = Files.exists(place.resolve(CRASH));
    if (exit == 0 && !crashed && here >= wanted) {
      return "";
    }
    return told(place, partSeed, exit, here, crashed);
  }

  private String told(Path place, long partSeed, int exit, long here, boolean crashed)
      throws IOException {
    StringBuilder told = new StringBuilder();
    String output = Files.readString(place.resolve(OUTPUT));
    told.append(
        String.format(
            Locale.ROOT,
            "the process with the seed %d ended with %d after %,d steps%s%n",
            partSeed,
            exit,
            here,
            crashed ? ", by a crash of the JVM" : ""));
    long again = roundSeed(place, partSeed);
    told.append("again: -Dnvcache.test.huntSeed=").append(again).append(" (its round alone)\n");
    told.append("the last steps:\n");
    StepTrace.read(place.resolve(STEPS)).forEach(step -> told.append(step).append('\n'));
    output.lines().limit(MANY_LINES).forEach(line -> told.append(line).append('\n'));
    if (crashed) {
      try (var lines = Files.lines(place.resolve(CRASH))) {
        lines.limit(MANY_LINES).forEach(line -> told.append(line).append('\n'));
      }
    }
    return told.toString();
  }

  /** The seed of the round that was on when the process ended: a hunt that begins with it. */
  private static long roundSeed(Path place, long partSeed) throws IOException {
    Path file = place.resolve(HuntedProcess.ROUND);
    return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : partSeed;
  }
}
