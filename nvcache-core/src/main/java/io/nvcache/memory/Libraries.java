// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the libraries on the class path have what the cache calls: a host may bring older
 * ones, and the first call of a method that they lack would be an error in the middle of a lookup.
 */
public final class Libraries {
  /** The JDK from which on Chronicle is not used. */
  private static final int JDK_WITHOUT_CHRONICLE = 22;

  private static final List<Needed> NEEDED =
      List.of(
          new Needed(
              "slf4j-api", "1.7 or later", 0, "org.slf4j.Logger", "isInfoEnabled", List.of()),
          new Needed(
              "chronicle-core",
              "2.23 or later",
              JDK_WITHOUT_CHRONICLE,
              "net.openhft.chronicle.core.OS",
              "map",
              List.of(FileChannel.class, FileChannel.MapMode.class, long.class, long.class)));

  /** The library of the DRAM tier only: a host that has its own may bring an older one. */
  private static final Needed CAFFEINE =
      new Needed(
          "caffeine",
          "2.8.8 or later",
          0,
          "com.github.benmanes.caffeine.cache.Policy",
          "getIfPresentQuietly",
          List.of(Object.class));

  /** The problem of the class loader that the library itself is in; null if there is none. */
  private static final @Nullable String PROBLEM = problem(Libraries.class.getClassLoader());

  private Libraries() {}

  /** A method that is called. Below the JDK of {@code until}; 0 for all. */
  private record Needed(
      String library,
      String version,
      int until,
      String className,
      String method,
      List<Class<?>> parameters) {}

  /**
   * Returns if all is there that a cache needs.
   *
   * @throws IllegalStateException if not; names the library, the version found and the one needed
   */
  public static void require() {
    refuse(PROBLEM);
  }

  /**
   * Returns if all is there that a DRAM tier needs.
   *
   * @throws IllegalStateException if not; names the library, the version found and the one needed
   */
  public static void requireOfTiers() {
    refuse(problemOfTiers(Libraries.class.getClassLoader()));
  }

  private static void refuse(@Nullable String problem) {
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /** Returns what is missing among the classes of a loader, in words; null if nothing is. */
  static @Nullable String problem(@Nullable ClassLoader loader) {
    for (Needed needed : NEEDED) {
      if (needed.until == 0 || Runtime.version().feature() < needed.until) {
        String problem = problem(needed, loader);
        if (problem != null) {
          return problem;
        }
      }
    }
    return null;
  }

  /** Returns what a DRAM tier misses among the classes of a loader; null if nothing. */
  static @Nullable String problemOfTiers(@Nullable ClassLoader loader) {
    return problem(CAFFEINE, loader);
  }

  private static @Nullable String problem(Needed needed, @Nullable ClassLoader loader) {
    Class<?> found;
    try {
      found = Class.forName(needed.className, false, loader);
      boolean has =
          Arrays.stream(found.getMethods())
              .anyMatch(
                  method ->
                      method.getName().equals(needed.method)
                          && List.of(method.getParameterTypes()).equals(needed.parameters));
      return has ? null : found(found) + " was found; " + remedy(needed);
    } catch (ClassNotFoundException | LinkageError e) {
      return needed.library + " was not found (" + e + "); " + remedy(needed);
    }
  }

  private static String remedy(Needed needed) {
    return "the cache needs "
        + needed.library
        + " "
        + needed.version
        + ": put it on the class path, before any older one";
  }

  /** Its version and where it was loaded from, as far as they can be known. */
  private static String found(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL place = source == null ? null : source.getLocation();
    if (place == null) {
      return type.getName() + " of an unknown version";
    }
    String version = version(place);
    return (version == null ? "an unknown version" : "version " + version) + " in " + place;
  }

  private static @Nullable String version(URL jar) {
    try (InputStream bytes = jar.openStream();
        JarInputStream entries = new JarInputStream(bytes)) {
      Manifest manifest = entries.getManifest();
      if (manifest == null) {
        return null;
      }
      String bundle = manifest.getMainAttributes().getValue("Bundle-Version");
      return bundle == null
          ? manifest.getMainAttributes().getValue("Implementation-Version")
          : bundle;
    } catch (IOException e) {
      return null; // A folder, as in a build.
    }
  }
}
