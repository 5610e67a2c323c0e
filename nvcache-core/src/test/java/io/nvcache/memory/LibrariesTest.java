// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

class LibrariesTest {
  private static final String POLICY = "com/github/benmanes/caffeine/cache/Policy";

  @TempDir private Path directory;

  @Test
  void shouldFindNothingMissingHere() {
    assertThat(Libraries.problem(getClass().getClassLoader())).isNull();
    Libraries.require();
    Libraries.requireOfTiers();
  }

  @Test
  void shouldNameTheVersionOfAnOldCaffeine_AndTheOneNeeded() throws Exception {
    try (URLClassLoader old = oldCaffeine()) {
      assertThat(Libraries.problem(old)).as("a cache without tiers").doesNotContain("caffeine");
      assertThat(Libraries.problemOfTiers(old))
          .startsWith("version 2.6.2 in file:")
          .contains("old.jar was found; the cache needs caffeine 2.8.8 or later");
    }
  }

  @Test
  void shouldNameALibraryThatIsMissing() throws Exception {
    try (URLClassLoader none = new URLClassLoader(new URL[0], null)) {
      assertThat(Libraries.problem(none))
          .startsWith("slf4j-api was not found")
          .contains("the cache needs slf4j-api 1.7 or later");
    }
  }

  /** With the method that 2.8.8 has not there yet, and the logger of today. */
  private URLClassLoader oldCaffeine() throws Exception {
    Path source = directory.resolve("Policy.java");
    Files.writeString(
        source, "package com.github.benmanes.caffeine.cache; public interface Policy<K, V> {}\n");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", directory.toString(), source.toString());
    assertThat(failed).isZero();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Bundle-Version", "2.6.2");
    Path jar = directory.resolve("old.jar");
    try (OutputStream bytes = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(bytes, manifest)) {
      out.putNextEntry(new JarEntry(POLICY + ".class"));
      out.write(Files.readAllBytes(directory.resolve(POLICY + ".class")));
    }
    URL logger = Logger.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(
        new URL[] {jar.toUri().toURL(), logger}, ClassLoader.getPlatformClassLoader());
  }
}
