// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one jar that operators copy: what is in it, and that HBase needs no other. */
class OneJarIT {
  private static final Path JAR = Path.of(System.getProperty("nvcache.it.jar"));

  @TempDir private Path directory;

  private static Set<String> entries() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String text(String entry) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), "UTF-8");
    }
  }

  @Test
  void shouldHoldWhatHBaseDoesNotBringAndNothingElse() throws IOException {
    Set<String> roots =
        entries().stream()
            .filter(name -> name.endsWith(".class"))
            .map(name -> name.replaceFirst("^META-INF/versions/\\d+/", ""))
            .map(name -> name.substring(0, name.lastIndexOf('/')))
            .map(name -> name.replaceFirst("^(io/nvcache|net/openhft/[a-z]+)/.*", "$1"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(roots)
        .containsExactly(
            "io/nvcache",
            "net/openhft/chronicle",
            "net/openhft/posix",
            "org/apache/hadoop/hbase/io/hfile"); // The stand-in for the class of memcached.
    assertThat(entries())
        .filteredOn(name -> name.startsWith("org/"))
        .containsExactly("org/apache/hadoop/hbase/io/hfile/MemcachedBlockCache.class");
  }

  @Test
  void shouldKeepLicencesAndNameEachLibrary() throws IOException {
    assertThat(text("META-INF/LICENSE")).contains("Apache License", "Version 2.0");
    List<String> libraries =
        entries().stream()
            .filter(name -> name.endsWith("/pom.properties"))
            .map(name -> name.replaceFirst("META-INF/maven/([^/]+)/([^/]+)/.*", "$1:$2"))
            .filter(name -> !name.startsWith("io.nvcache:"))
            .toList();
    assertThat(libraries).hasSize(3);
    assertThat(text("META-INF/NOTICE")).contains(libraries);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped"})
  void shouldServeBesideTheClassPathOfAServer(String medium) throws Exception {
    Path log = directory.resolve("log");
    Process process =
        ForkedJvm.startServer(
            directory,
            log,
            ServedFromOneJar.class.getName(),
            List.of(medium, directory.toString()),
            ForkedJvm.testClasses());
    process.waitFor();
    String output = Files.readString(log);
    assertThat(output)
        .contains("cells " + SampleHFile.CELLS + " and " + SampleHFile.CELLS)
        .contains("hits all", "further misses 0")
        .contains("NvHBaseBlockCache from " + JAR.getFileName())
        .contains("io.nvcache.BlockCache from " + JAR.getFileName())
        .contains("net.openhft.chronicle.core.OS from " + JAR.getFileName())
        .contains("INFO [main] io.nvcache.hbase.FromSite: NVCache caches") // By HBase's own logger.
        .doesNotContain("WARNING", "SLF4J:", "ERROR")
        .containsPattern("org.slf4j.Logger from slf4j-api-1\\.7\\.\\d+\\.jar");
    assertThat(process.exitValue()).as(output).isZero();
  }
}
