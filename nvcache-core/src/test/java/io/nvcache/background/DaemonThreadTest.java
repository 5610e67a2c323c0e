// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DaemonThreadTest {
  private static final InheritableThreadLocal<String> CALLERS = new InheritableThreadLocal<>();

  @Test
  void shouldInheritNothingOfItsMaker() throws Exception {
    AtomicReference<Thread> made = new AtomicReference<>();
    AtomicReference<String> inherited = new AtomicReference<>();
    Thread maker =
        new Thread(
            new ThreadGroup("an application"),
            () -> {
              CALLERS.set("the application's");
              Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], null));
              made.set(DaemonThread.of("nvcache-made", () -> inherited.set(CALLERS.get())));
              made.get().start();
            });
    maker.start();
    maker.join();
    made.get().join();

    assertThat(inherited.get()).isNull();
    Thread fresh = DaemonThread.of("nvcache-fresh", () -> {});
    assertThat(fresh.isDaemon()).isTrue();
    assertThat(made.get().getContextClassLoader()).isSameAs(ClassLoader.getSystemClassLoader());
    assertThat(fresh.getThreadGroup().getParent()).isNull();
  }

  /** A thread of any other make keeps the classes of whoever happens to be first. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "../nvcache-llpl",
        "../nvcache-llpl/nvcache-writelog",
        "../nvcache-integration/nvcache-hbase",
        "../nvcache-integration/nvcache-cassandra",
        "../nvcache-integration/nvcache-lucene"
      })
  void shouldBeHowAllThreadsOfTheLibraryAreMade(String module) throws Exception {
    List<Path> sources;
    try (Stream<Path> walk = Files.walk(Path.of(module, "src/main"))) {
      sources = walk.filter(path -> path.toString().endsWith(".java")).toList();
    }

    assertThat(sources).isNotEmpty();
    assertThat(sources)
        .filteredOn(path -> !path.endsWith("DaemonThread.java"))
        .allSatisfy(
            path ->
                assertThat(Files.readString(path))
                    .doesNotContain("new Thread(", "Executors.defaultThreadFactory()"));
  }
}
