// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Assumptions;

/** A JDK of this machine, found as scripts/lib/toolchain.sh finds it. */
public record Jdk(Path home, int feature) {
  private static final Path JVMS = Path.of("/usr/lib/jvm");

  /** The one that runs this. */
  public static Jdk own() {
    return new Jdk(Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  /** A JDK 25; without one the test is skipped. */
  public static Jdk of25() throws IOException {
    List<Path> homes = new ArrayList<>(List.of(own().home));
    String named = System.getenv("JAVA25_HOME");
    if (named != null) {
      homes.add(Path.of(named));
    }
    if (Files.isDirectory(JVMS)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(JVMS, "*25*")) {
        found.forEach(homes::add);
      }
    }
    for (Path home : homes) {
      if (feature(home) == 25) {
        return new Jdk(home, 25);
      }
    }
    Assumptions.abort("found no JDK 25; let JAVA25_HOME name one");
    throw new AssertionError();
  }

  private static int feature(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isReadable(release) || !Files.isExecutable(home.resolve("bin").resolve("java"))) {
      return 0;
    }
    Properties properties = new Properties();
    properties.load(Files.newBufferedReader(release));
    String version = properties.getProperty("JAVA_VERSION", "0").replace("\"", "");
    return Integer.parseInt(version.split("\\.")[0]);
  }
}
