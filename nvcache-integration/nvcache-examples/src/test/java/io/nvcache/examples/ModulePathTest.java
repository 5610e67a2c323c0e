// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.testing.ChildJvm;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles a module that requires {@code io.nvcache.core}, and runs it on the module path. */
final class ModulePathTest {
  private static final String DESCRIPTOR =
      "module consumer { requires io.nvcache.core; exports consumer; }";

  /** A hit in native memory and one in a mapped file, and what reflection may touch. */
  private static final String PROGRAM =
      """
      package consumer;

      import io.nvcache.BlockCache;
      import io.nvcache.BlockCacheBuilder;
      import io.nvcache.Source;
      import io.nvcache.control.LiveSettings;
      import java.nio.ByteBuffer;
      import java.nio.file.Path;

      public final class Main {
        public static void main(String[] arguments) throws Exception {
          System.out.println("module " + Main.class.getModule().getName()
              + " reads " + BlockCache.class.getModule().getName());
          hit("native", BlockCache.builder().nativeMemory(1 << 20));
          hit("mapped", BlockCache.builder().mappedFile(Path.of(arguments[0]), 1 << 20));
        }

        static void hit(String medium, BlockCacheBuilder builder) throws Exception {
          try (BlockCache cache = builder.build()) {
            cache.offer(1, 0, ByteBuffer.allocate(4096).put(0, (byte) 42), Source.READ);
            cache.get(1, 0, ByteBuffer.allocate(4096));
            cache.offer(1, 0, ByteBuffer.allocate(4096).put(0, (byte) 42), Source.READ);
            ByteBuffer block = ByteBuffer.allocate(4096);
            int length = cache.get(1, 0, block);
            LiveSettings settings = cache.control().settings();
            System.out.println(medium + " hit " + length + " bytes, first " + block.get(0)
                + ", target " + settings.overheadTarget());
            try {
              cache.getClass().getMethod("start").invoke(cache);
              System.out.println("the engine is open");
            } catch (IllegalAccessException e) {
              System.out.println("the engine is closed");
            }
          }
        }
      }
      """;

  private static final String INTRUDER =
      """
      package consumer;

      final class Intruder {
        io.nvcache.internal.Engine engine;
        io.nvcache.memory.RawMemory memory;
      }
      """;

  @TempDir Path directory;

  /** The module of core, and those that it requires: none of the tests' own libraries. */
  private static String modulePath() throws Exception {
    List<String> path = new ArrayList<>();
    for (String type :
        List.of(
            "io.nvcache.BlockCache",
            "com.github.benmanes.caffeine.cache.Caffeine",
            "net.openhft.chronicle.bytes.Bytes",
            "net.openhft.chronicle.core.OS",
            "net.openhft.posix.PosixAPI",
            "org.slf4j.Logger",
            "org.jspecify.annotations.NullMarked")) {
      path.add(placeOf(Class.forName(type, false, ModulePathTest.class.getClassLoader())));
    }
    return String.join(System.getProperty("path.separator"), path);
  }

  private static String placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Compiles sources into the directory, and returns what the compiler says. */
  private String compile(Map<String, String> sources) throws Exception {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      files.add(Files.writeString(directory.resolve(source.getKey()), source.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("--module-path", modulePath(), "-d", directory.resolve("classes").toString());
      compiler
          .getTask(
              messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
          .call();
    }
    return messages.toString();
  }

  @Test
  void shouldServeAModule() throws Exception {
    assertThat(compile(Map.of("module-info.java", DESCRIPTOR, "Main.java", PROGRAM))).isEmpty();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-exports=java.base/jdk.internal.ref=chronicle.core",
            "--add-exports=java.base/sun.nio.ch=chronicle.core",
            "--add-opens=java.base/java.lang.reflect=chronicle.core",
            "--add-opens=java.base/java.nio=chronicle.core"));
    command.add("--module-path=" + directory.resolve("classes") + ":" + modulePath());
    command.addAll(List.of("-m", "consumer/consumer.Main", directory.resolve("cache").toString()));

    assertThat(ChildJvm.run(command))
        .contains(
            "module consumer reads io.nvcache.core",
            "native hit 4096 bytes, first 42, target 0.1",
            "mapped hit 4096 bytes, first 42, target 0.1",
            "the engine is closed")
        .doesNotContain("the engine is open");
  }

  @Test
  void shouldHideWhatIsNotExported() throws Exception {
    assertThat(
            compile(
                Map.of(
                    "module-info.java",
                    DESCRIPTOR,
                    "Main.java",
                    PROGRAM,
                    "Intruder.java",
                    INTRUDER)))
        .contains("package io.nvcache.internal is not visible", "io.nvcache.memory is not visible");
  }

  /** A package that is exported is a promise: this list changes together with the changelog. */
  @Test
  void shouldExportThePublicPackagesAlone() throws Exception {
    ModuleDescriptor core =
        ModuleFinder.of(Path.of(placeOf(BlockCache.class)))
            .find("io.nvcache.core")
            .orElseThrow()
            .descriptor();
    assertThat(core.exports().stream().filter(export -> !export.isQualified()))
        .extracting(ModuleDescriptor.Exports::source)
        .containsExactlyInAnyOrder(
            "io.nvcache",
            "io.nvcache.admission",
            "io.nvcache.control",
            "io.nvcache.eviction",
            "io.nvcache.jmx",
            "io.nvcache.medium",
            "io.nvcache.micrometer",
            "io.nvcache.tiered");
    assertThat(
            core.exports().stream()
                .filter(ModuleDescriptor.Exports::isQualified)
                .map(
                    export ->
                        export.source()
                            + " to "
                            + export.targets().stream().sorted().collect(joining(", "))))
        .as("for this project's own modules alone")
        .containsExactlyInAnyOrder(
            "io.nvcache.background to io.nvcache.cassandra, io.nvcache.hbase,"
                + " io.nvcache.lucene, io.nvcache.writelog",
            "io.nvcache.host to io.nvcache.cassandra, io.nvcache.hbase, io.nvcache.lucene",
            "io.nvcache.medium.file to io.nvcache.llpl",
            "io.nvcache.memory to io.nvcache.cli, io.nvcache.hbase, io.nvcache.llpl,"
                + " io.nvcache.writelog",
            "io.nvcache.stats to io.nvcache.cassandra, io.nvcache.hbase, io.nvcache.sim");
    assertThat(core.opens()).isEmpty();
  }
}
