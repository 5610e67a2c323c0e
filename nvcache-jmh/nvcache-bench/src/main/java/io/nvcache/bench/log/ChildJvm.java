// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.background.BackgroundThread;
import io.nvcache.writelog.nio.WriteLogFileSystemProvider;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** Command lines of JVMs that run next to this one. */
final class ChildJvm {
  private ChildJvm() {}

  /** Returns the beginning of a command line; more may be added. */
  static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    return command;
  }

  /** Returns the flags that make a log's file system the default one. */
  static List<String> writingThrough(Path log, Path root) {
    return List.of(
        "-Djava.nio.file.spi.DefaultFileSystemProvider="
            + WriteLogFileSystemProvider.class.getName(),
        "-Dnvcache.writelog.path=" + log,
        "-Dnvcache.writelog.roots=" + root,
        "-Dnvcache.writelog.persistence=EMULATED");
  }

  /** Returns the class path of these programs: the log's jars first, as a start meets them. */
  static String classPath() {
    return classPath(
            ChildJvm.class, WriteLogFileSystemProvider.class, BackgroundThread.class, Logger.class)
        + File.pathSeparator
        + System.getProperty("java.class.path");
  }

  /** Returns the class path that has these types. */
  static String classPath(Class<?>... types) {
    return Stream.of(types)
        .map(ChildJvm::placeOf)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
