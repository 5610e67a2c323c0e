// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links the classes of this module against the servers of other releases than the one they are
 * compiled against: each class, method and field of HBase's server that they name is there, and
 * each method is implemented that the release wants. What HBase keeps in its other jars is taken
 * from the release that the tests run on.
 */
class LinkTest {
  private static final Path RELEASES = Path.of(System.getProperty("nvcache.hbase.releases"));
  private static final Path CLASSES =
      Path.of(
          NvHBaseBlockCache.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  @ParameterizedTest
  @ValueSource(strings = {"2.6.2", "2.6.3", "2.6.4-hadoop3", "2.6.5", "2.6.6", "3.0.0"})
  void shouldLinkAgainst(String release) throws IOException {
    Linker linker = new Linker(RELEASES.resolve("hbase-server-" + release + ".jar"));
    int checked = 0;
    for (LinkedClass ours : ourClasses()) {
      checked += linker.check(ours);
    }
    System.out.printf("hbase-server %s: %d references%n", release, checked);
    assertThat(linker.missing).isEmpty();
    assertThat(checked).isGreaterThan(100);
  }

  @Test
  void shouldFindAMissingMember() throws IOException {
    Linker linker = new Linker(RELEASES.resolve("hbase-server-2.6.6.jar"));
    linker.check(
        new LinkedClass(
            "io/nvcache/hbase/Mutant",
            false,
            List.of("java/lang/Object", name(BlockCache.class)),
            Set.of(),
            Set.of(),
            Set.of(
                new LinkedClass.Reference(
                    "org/apache/hadoop/hbase/io/hfile/BlockCacheKey",
                    "getFilePath()Lorg/apache/hadoop/fs/Path;"))));
    assertThat(linker.missing)
        .anySatisfy(line -> assertThat(line).contains("getFilePath"))
        .anySatisfy(line -> assertThat(line).contains("does not implement evictBlock("));
  }

  /** They are looked up by their names, so that nothing refers to them. */
  @ParameterizedTest
  @ValueSource(strings = {"2.6.5", "2.6.6", "3.0.0"})
  void shouldFindTheRulesOfTimeBasedPriority(String release) throws IOException {
    Linker linker = new Linker(RELEASES.resolve("hbase-server-" + release + ".jar"));
    String name = "org/apache/hadoop/hbase/regionserver/DataTieringManager";
    LinkedClass rules = linker.server.get(name);
    assertThat(rules).isNotNull();
    String hfile = "Lorg/apache/hadoop/hbase/io/hfile/";
    String configuration = "Lorg/apache/hadoop/conf/Configuration;";
    assertThat(rules.members())
        .contains(
            "getInstance()L" + name + ";",
            "isHotData(" + hfile + "BlockCacheKey;)Z",
            "isHotData(J" + configuration + ")Z",
            "isHotData(" + hfile + "HFileInfo;" + configuration + ")Z",
            "getColdFilesList()Ljava/util/Map;");
    assertThat(linker.server.get("org/apache/hadoop/hbase/io/hfile/BlockCacheKey").members())
        .contains("getRegionName()Ljava/lang/String;");
    assertThat(linker.server.get("org/apache/hadoop/hbase/regionserver/HRegionServer").members())
        .contains("blockCache" + hfile + "BlockCache;");
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static List<LinkedClass> ourClasses() throws IOException {
    List<LinkedClass> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        classes.add(LinkedClass.read(Files.readAllBytes(file)));
      }
    }
    return classes;
  }

  /** Looks members up as the JVM does. */
  private static final class Linker {
    private final Map<String, LinkedClass> server = new HashMap<>();
    final Set<String> missing = new TreeSet<>();

    Linker(Path jarFile) throws IOException {
      try (JarFile jar = new JarFile(jarFile.toFile())) {
        for (var entry : jar.stream().filter(each -> each.getName().endsWith(".class")).toList()) {
          LinkedClass read = LinkedClass.read(jar.getInputStream(entry).readAllBytes());
          server.put(read.name(), read);
        }
      }
    }

    /** Returns how many references to HBase's server it looked up. */
    int check(LinkedClass ours) throws IOException {
      int checked = 0;
      for (LinkedClass.Reference reference : ours.references()) {
        if (!server.containsKey(reference.owner()) && !isOfServer(reference.owner())) {
          continue;
        }
        checked++;
        if (!server.containsKey(reference.owner()) || !has(reference)) {
          missing.add(ours.name() + " misses " + reference.owner() + "." + reference.member());
        }
      }
      if (!ours.isAbstract()) {
        Set<String> wanted = new TreeSet<>();
        Set<String> implemented = new TreeSet<>();
        collect(ours, wanted, implemented);
        wanted.removeAll(implemented);
        wanted.forEach(method -> missing.add(ours.name() + " does not implement " + method));
      }
      return checked;
    }

    private boolean has(LinkedClass.Reference reference) throws IOException {
      if (reference.member().isEmpty()) {
        return true;
      }
      Set<String> members = new TreeSet<>();
      collect(find(reference.owner()), members, members);
      return members.contains(reference.member());
    }

    private void collect(@Nullable LinkedClass from, Set<String> abstractOnes, Set<String> others)
        throws IOException {
      if (from == null) {
        return;
      }
      for (String member : from.members()) {
        (from.abstractMethods().contains(member) ? abstractOnes : others).add(member);
      }
      for (String parent : from.parents()) {
        collect(find(parent), abstractOnes, others);
      }
    }

    private @Nullable LinkedClass find(String name) throws IOException {
      LinkedClass found = server.get(name);
      if (found != null) {
        return found;
      }
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        return in == null ? null : LinkedClass.read(in.readAllBytes());
      }
    }

    /** Returns whether the server of the release that the tests run on has a class. */
    private static boolean isOfServer(String name) {
      var found = ClassLoader.getSystemResource(name + ".class");
      return found != null && found.getPath().contains("/hbase-server-");
    }
  }
}
