// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.io.IOException;
import java.io.Reader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * A JDK to run forks on.
 *
 * @param home its directory
 * @param feature its version: 17, 25
 */
record Jdk(Path home, int feature) {
  /** From this version on, JVMs warn of native and raw memory access that was not allowed. */
  private static final int WARNS_OF_NATIVE_ACCESS = 24;

  private static final List<String> ALLOW_NATIVE_ACCESS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private static final String UNSAFE_ACCESS = "--sun-misc-unsafe-memory-access=";

  /** Whether this JVM was started to deny sun.misc.Unsafe, as later JDKs will. */
  static boolean deniesUnsafe() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith(UNSAFE_ACCESS))
        .reduce((first, last) -> last)
        .filter(flag -> flag.endsWith("=deny"))
        .isPresent();
  }

  /** The one that runs this. */
  static Jdk current() {
    return new Jdk(Path.of(System.getProperty("java.home")), Runtime.version().feature());
  }

  /** The one in a directory, by its {@code release} file. */
  static Jdk at(Path home) {
    Properties release = new Properties();
    try (Reader text = Files.newBufferedReader(home.resolve("release"))) {
      release.load(text);
      String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
      return new Jdk(home, Runtime.Version.parse(version).feature());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--java-home is " + home + "; it must be a JDK's directory, with a file release", e);
    }
  }

  String java() {
    return home.resolve("bin").resolve("java").toString();
  }

  /** Flags that only some versions know. */
  List<String> flags() {
    if (feature < WARNS_OF_NATIVE_ACCESS) {
      return List.of();
    }
    return deniesUnsafe()
        ? List.of(ALLOW_NATIVE_ACCESS.get(0), UNSAFE_ACCESS + "deny")
        : ALLOW_NATIVE_ACCESS;
  }

  /** Whether a flag is for some versions only, so that one JVM can't hand it on to any other. */
  static boolean isOfSomeVersions(String flag) {
    return ALLOW_NATIVE_ACCESS.stream().anyMatch(flag::equals) || flag.startsWith(UNSAFE_ACCESS);
  }
}
