// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The process in which a part of a hunt runs: rounds of scenes, each with its own seed, until so
 * many steps are taken. Ends with 0 if there was nothing to be found.
 */
public final class HuntedProcess {
  /** The property that names a class of media. */
  static final String MEDIA = "nvcache.test.huntMedia";

  static final String TRACE = "steps";

  /** Where the seed of the round stands that is on. */
  static final String ROUND = "round";

  private static final int FOUND = 3;
  private static final int HANGS = 4;
  private static final int SCENES = 300;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** Executors that refuse are logged there each time. */
  private static final Logger CAFFEINE = Logger.getLogger("com.github.benmanes.caffeine");

  private final Path directory;
  private final Steps steps;
  private final Buffers buffers;
  private final Partner partner = new Partner();
  private final @Nullable MediumMaker maker;

  private HuntedProcess(Path directory) throws Exception {
    this.directory = directory;
    this.steps = new Steps(new StepTrace(directory.resolve(TRACE)));
    this.buffers = new Buffers(Files.createDirectory(directory.resolve("buffers")));
    String media = System.getProperty(MEDIA);
    this.maker =
        media == null
            ? null
            : (MediumMaker) Class.forName(media).getDeclaredConstructor().newInstance();
  }

  /**
   * Hunts.
   *
   * @param arguments its own directory, the seed, the steps to take, and what to do on purpose to
   *     see it found, if anything
   */
  public static void main(String[] arguments) throws Exception {
    CAFFEINE.setLevel(Level.OFF);
    HuntedProcess process = new HuntedProcess(Path.of(arguments[0]));
    SplittableRandom seeds = new SplittableRandom(Long.parseLong(arguments[1]));
    long until = Long.parseLong(arguments[2]);
    String planted = arguments.length > 3 ? arguments[3] : "";
    process.watch();
    long seed = Long.parseLong(arguments[1]);
    try {
      while (process.steps.taken() < until) {
        process.round(seed, planted);
        seed = seeds.nextLong();
      }
      process.requireNothingMapped();
    } catch (Finding finding) {
      System.out.println("seed of the round: " + seed);
      finding.printStackTrace(System.out);
      System.out.flush();
      Runtime.getRuntime().halt(FOUND);
    }
    System.out.println(process.steps.counts());
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void round(long seed, String planted) throws Exception {
    Path files = Files.createDirectory(directory.resolve("round" + steps.taken()));
    Files.writeString(directory.resolve(ROUND), "" + seed);
    steps.act("round", "" + seed, Steps.NOTHING, () -> {});
    World world = new World(seed, steps, buffers, partner, files, maker);
    if (!planted.isEmpty()) {
      plant(planted);
    }
    world.play(SCENES);
    requireNoThread();
    if (!JmxCalls.beans().isEmpty()) {
      throw new Finding("beans are left: " + JmxCalls.beans());
    }
    delete(files);
  }

  private void plant(String planted) {
    steps.act(
        "planted",
        planted,
        Steps.NOTHING,
        () -> {
          switch (planted) {
            case "crash" -> RawMemory.putLong(8, 8);
            case "throw" -> throw Planted.exception();
            case "exit" -> Runtime.getRuntime().halt(0);
            default -> throw new IllegalArgumentException(planted);
          }
        });
  }

  private static void delete(Path files) throws IOException {
    try (var left = Files.list(files)) {
      for (Path file : left.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(files);
  }

  private static void requireNoThread() throws InterruptedException {
    long began = System.nanoTime();
    List<String> left = threads();
    while (!left.isEmpty() && System.nanoTime() - began < PATIENCE_NANOS / 2) {
      Thread.sleep(1);
      left = threads();
    }
    if (!left.isEmpty()) {
      throw new Finding("threads are left: " + left);
    }
  }

  private static List<String> threads() {
    Thread[] all = new Thread[Thread.activeCount() + 16];
    int count = Thread.enumerate(all);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (all[i].getName().startsWith("nvcache")) {
        names.add(all[i].getName());
      }
    }
    return names;
  }

  /** Media whose pins gave views are unmapped when the garbage collector has found them. */
  private void requireNothingMapped() throws IOException, InterruptedException {
    long began = System.nanoTime();
    List<String> left = mapped();
    while (!left.isEmpty() && System.nanoTime() - began < PATIENCE_NANOS / 2) {
      System.gc();
      Thread.sleep(5);
      left = mapped();
    }
    if (!left.isEmpty()) {
      throw new Finding("files are still mapped: " + left);
    }
  }

  private List<String> mapped() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    List<String> left = new ArrayList<>();
    if (Files.exists(maps)) {
      for (String line : Files.readAllLines(maps)) {
        if (line.contains(directory + "/round")) {
          left.add(line);
        }
      }
    }
    return left;
  }

  /** A step that does not end is a finding, with what all threads do then. */
  private void watch() {
    Thread watch =
        new Thread(
            () -> {
              long seen = -1;
              long since = System.nanoTime();
              while (true) {
                try {
                  Thread.sleep(500);
                } catch (InterruptedException e) {
                  return;
                }
                if (steps.taken() != seen) {
                  seen = steps.taken();
                  since = System.nanoTime();
                } else if (System.nanoTime() - since > PATIENCE_NANOS) {
                  System.out.println("a step does not end");
                  Thread.getAllStackTraces()
                      .forEach(
                          (thread, stack) -> {
                            System.out.println(thread);
                            for (StackTraceElement call : stack) {
                              System.out.println("    " + call);
                            }
                          });
                  System.out.flush();
                  Runtime.getRuntime().halt(HANGS);
                }
              }
            },
            "watch");
    watch.setDaemon(true);
    watch.start();
  }
}
