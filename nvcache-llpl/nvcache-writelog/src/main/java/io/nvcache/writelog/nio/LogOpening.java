// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.background.DaemonThread;
import io.nvcache.writelog.WriteLog;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log of a provider, which is opened, and recovered, when a path below its roots is first used.
 *
 * <p>Asked while the JVM starts, by the default provider: until a path is below a root nothing is
 * loaded that needs a running JVM.
 */
final class LogOpening {
  private final FileSystem platform;

  /** Whether the JVM's system properties say which log, and its shutdown drains it. */
  private final boolean isDefault;

  private @Nullable WriteLogOptions options;
  private volatile @Nullable List<Path> roots;
  private volatile @Nullable List<Path> realRoots;
  private volatile @Nullable WriteLog log;
  private @Nullable IOException failure;

  private LogOpening(FileSystem platform, boolean isDefault) {
    this.platform = platform;
    this.isDefault = isDefault;
  }

  /** Returns the opening of the log that system properties name. */
  static LogOpening ofSystem(FileSystem platform) {
    return new LogOpening(platform, true);
  }

  /** Returns the opening of a log that an agent's arguments name, as {@link #ofSystem}. */
  static LogOpening ofAgent(FileSystem platform, WriteLogOptions options) {
    LogOpening opening = new LogOpening(platform, true);
    opening.options = options;
    return opening;
  }

  /** Returns the opening of a log that a program names by {@link #open(Map)}. */
  static LogOpening ofProgram(FileSystem platform) {
    return new LogOpening(platform, false);
  }

  /** Returns the log; null before it is needed. */
  @Nullable WriteLog log() {
    return log;
  }

  /** Returns whether no file can be in the log. */
  boolean hasNoRoots() {
    return roots().isEmpty();
  }

  private List<Path> roots() {
    List<Path> known = roots;
    if (known == null) {
      WriteLogOptions from = options;
      if (from == null) {
        from = WriteLogOptions.ofSystem();
      }
      known = isDefault && from.values().isEmpty() ? List.of() : from.roots(platform);
      roots = known;
    }
    return known;
  }

  /** Returns whether a path is below a root, by its name. */
  boolean isBelowRoot(Path path) {
    List<Path> known = roots();
    if (known.isEmpty()) {
      return false;
    }
    Path absolute = path.toAbsolutePath().normalize();
    WriteLog open = log;
    return isBelow(known, absolute) || (open != null && isBelow(open.roots(), absolute));
  }

  /** A loop, since the JVM may be too young for more when it first asks. */
  private static boolean isBelow(List<Path> directories, Path path) {
    for (Path directory : directories) {
      if (path.startsWith(directory)) {
        return true;
      }
    }
    return false;
  }

  /** Opens the log before anything below its roots is seen, which a recovery may change. */
  void ready(Path path) throws IOException {
    if (log == null && isInRoot(path)) {
      open();
    }
  }

  /** Returns whether a path is a root or below one, by its name or by links. */
  boolean isInRoot(Path path) {
    return !hasNoRoots() && (isBelowRoot(path) || leadsBelowRoot(path));
  }

  /** Returns whether links lead below a root, of a path or of the root. */
  private boolean leadsBelowRoot(Path path) {
    Path real = RealPaths.ofNearest(path);
    return real != null && isBelow(realRoots(), real);
  }

  private List<Path> realRoots() {
    List<Path> known = realRoots;
    if (known == null) {
      known = new ArrayList<>();
      for (Path root : roots()) {
        Path real = RealPaths.ofNearest(root);
        known.add(real == null ? root : real);
      }
      realRoots = known;
    }
    return known;
  }

  /** Opens the log that an environment names. */
  synchronized void open(Map<String, ?> environment) throws IOException {
    options = WriteLogOptions.of(environment);
    failure = null;
    try {
      open();
    } catch (IOException | RuntimeException e) {
      options = null;
      throw e;
    }
  }

  /** Returns the log, which it opens if it was not; what failed once fails again. */
  synchronized WriteLog open() throws IOException {
    WriteLog open = log;
    if (open != null) {
      return open;
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    try {
      WriteLogOptions from = options == null ? WriteLogOptions.ofSystem() : options;
      WriteLog opened = from.open(platform);
      log = opened;
      if (isDefault) {
        // In parallel with the program, because JMX takes its time to start.
        DaemonThread.of("nvcache-write-log-bean", opened::registerMBean).start();
        Runtime.getRuntime()
            .addShutdownHook(DaemonThread.of("nvcache-write-log", () -> drain(opened)));
      }
      return opened;
    } catch (IOException e) {
      failure = e;
      say(e);
      throw e;
    }
  }

  /** Files.exists and its like swallow the exception, and answer that nothing is there. */
  private void say(IOException e) {
    if (isDefault && options == null) { // An agent says it itself, and ends the JVM.
      System.err.println(
          "the write log can't be opened, so no file below its roots can be used: " + e);
    }
  }

  /** What is written after it stays in the log until the next start. */
  private static void drain(WriteLog open) {
    try {
      open.drain();
    } catch (IOException e) {
      System.err.println("the write log " + open.path() + " was not drained: " + e);
    }
  }

  /** Closes the log, so that another one may be opened. */
  synchronized void close() throws IOException {
    WriteLog open = log;
    if (open != null) {
      open.close();
    }
    log = null;
    options = null;
    roots = null;
    realRoots = null;
  }
}
