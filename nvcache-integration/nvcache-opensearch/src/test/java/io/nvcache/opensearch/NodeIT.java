// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.Version;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;

/**
 * A node as OpenSearch releases it, in another JVM by OpenSearch's own main class, with the zip of
 * the plug-in unpacked as its installer does, asked by HTTP alone.
 */
final class NodeIT {
  private static final int BATCHES = 10;
  private static final int BATCH = 200;
  private static final int TITLES = 7;
  private static final long START_MINUTES = 5;

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir Path home;

  @Test
  void indexesSearchesAndRestartsWarm() throws Exception {
    install();
    try (RunningNode node = new RunningNode()) {
      node.ask(
          "PUT",
          "/books",
          """
          {"settings": {"index.warm": true, "index.composite_store.type": "nvcache",
            "number_of_replicas": 0}}""");
      for (int batch = 0; batch < BATCHES; batch++) {
        assertThat(node.ask("POST", "/books/_bulk?refresh=true", bulk(batch)))
            .containsEntry("errors", false);
      }
      node.ask("POST", "/books/_flush", "");
      search(node);
      Map<String, Object> cache = stats(node);
      assertThat(number(cache, "hit_count")).isPositive();
      assertThat(number(cache, "remote_requests")).isPositive();
      assertThat(number(cache, "refused_uploads")).isZero();
      Map<String, Object> fileCache =
          map(only(node.ask("GET", "/_nodes/stats/file_cache", "")), "aggregate_file_cache");
      assertThat(number(fileCache, "hit_count")).isGreaterThanOrEqualTo(number(cache, "hit_count"));
      assertThat(number(fileCache, "active_in_bytes"))
          .isLessThanOrEqualTo(number(fileCache, "used_in_bytes"));
    }
    try (RunningNode node = new RunningNode()) {
      search(node);
      Map<String, Object> cache = stats(node);
      assertThat(cache).containsEntry("state", "serving");
      assertThat(number(cache, "restored_blocks")).isPositive();
      assertThat(number(cache, "remote_requests"))
          .as("requests after a restart: %s", cache)
          .isLessThan(number(cache, "restored_blocks") / 2);
      assertThat(number(cache, "remote_failures")).isZero();
    }
  }

  private static String bulk(int batch) {
    StringBuilder lines = new StringBuilder();
    for (int i = batch * BATCH; i < (batch + 1) * BATCH; i++) {
      lines.append("{\"index\": {\"_id\": \"%d\"}}\n".formatted(i));
      lines.append("{\"title\": \"book %d\", \"number\": %d}\n".formatted(i % TITLES, i));
    }
    return lines.toString();
  }

  /** Compares all documents that a search finds with those that are to be there. */
  private void search(RunningNode node) throws Exception {
    node.ask("GET", "/_cluster/health/books?wait_for_status=green&timeout=2m", "");
    for (int title = 0; title < TITLES; title++) {
      Map<String, Object> found =
          node.ask(
              "GET",
              "/books/_search",
              """
              {"size": %d, "sort": "number", "query": {"match": {"title": "%d"}}}"""
                  .formatted(BATCHES * BATCH, title));
      List<?> hits = (List<?>) map(found, "hits").get("hits");
      assertThat(hits).hasSize((BATCHES * BATCH - title + TITLES - 1) / TITLES);
      for (int i = 0; i < hits.size(); i++) {
        Map<?, ?> source = (Map<?, ?>) ((Map<?, ?>) hits.get(i)).get("_source");
        assertThat(source.get("title")).isEqualTo("book " + title);
        assertThat(source.get("number")).isEqualTo(title + TITLES * i);
      }
    }
  }

  private Map<String, Object> stats(RunningNode node) throws Exception {
    return only(node.ask("GET", "/_nvcache/stats", ""));
  }

  /** What an answer says of the only node. */
  private static Map<String, Object> only(Map<String, Object> answer) {
    Map<String, Object> nodes = map(answer, "nodes");
    assertThat(nodes).hasSize(1);
    return map(nodes, nodes.keySet().iterator().next());
  }

  @SuppressWarnings("unchecked") // JSON.
  private static Map<String, Object> map(Map<String, Object> of, String name) {
    assertThat(of).containsKey(name);
    return (Map<String, Object>) of.get(name);
  }

  private static long number(Map<String, Object> of, String name) {
    assertThat(of).containsKey(name);
    return ((Number) of.get(name)).longValue();
  }

  /** Makes the folders of a distribution, and installs the plug-in. */
  private void install() throws IOException {
    Path netty = Files.createDirectories(home.resolve("modules/transport-netty4"));
    try (var jars = Files.newDirectoryStream(parts().resolve("transport-netty4"))) {
      for (Path jar : jars) {
        Files.copy(jar, netty.resolve(jar.getFileName()));
      }
    }
    Files.writeString(
        netty.resolve("plugin-descriptor.properties"),
        """
        name=transport-netty4
        description=HTTP, as the distribution has it
        version=%1$s
        opensearch.version=%1$s
        java.version=21
        classname=org.opensearch.transport.Netty4ModulePlugin
        """
            .formatted(Version.CURRENT));
    Path plugin = Files.createDirectories(home.resolve("plugins/nvcache"));
    try (InputStream file = Files.newInputStream(Path.of(System.getProperty("nvcache.it.zip")));
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Files.copy(zip, plugin.resolve(entry.getName()));
      }
    }
    Files.createDirectories(home.resolve("logs"));
    Path settings = Files.createDirectories(home.resolve("config"));
    Files.writeString(
        settings.resolve("log4j2.properties"),
        """
        appender.console.type = Console
        appender.console.name = console
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %d %p [%t] %c: %m%n
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        """);
    Files.writeString(
        settings.resolve("opensearch.yml"),
        """
        discovery.type: single-node
        http.port: 0
        transport.port: 0
        node.portsfile: true
        path.repo: [%1$s]
        node.attr.remote_store.segment.repository: remote
        node.attr.remote_store.translog.repository: remote
        node.attr.remote_store.state.repository: remote
        node.attr.remote_store.repository.remote.type: fs
        node.attr.remote_store.repository.remote.settings.location: %1$s
        cluster.remote_store.state.enabled: true
        opensearch.experimental.feature.writable_warm_index.enabled: true
        node.roles: [cluster_manager, data, warm]
        node.search.cache.size: 512mb
        nvcache.capacity: 64mb
        nvcache.medium: flash
        """
            .formatted(home.resolve("remote")));
  }

  /** What the module next to this one gathered of a node. */
  private static Path parts() {
    return Path.of(System.getProperty("nvcache.it.node"));
  }

  /** A node that runs; closing it stops it as an operator does. */
  private final class RunningNode implements AutoCloseable {
    private final Path log = home.resolve("logs/output");
    private final Process process;
    private final String address;

    RunningNode() throws IOException, InterruptedException {
      Path ports = home.resolve("logs/http.ports");
      Files.deleteIfExists(ports);
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "--enable-native-access=ALL-UNNAMED",
                  // Without its native part JNA can't tell that root runs it, which is refused.
                  "-Djna.nounpack=true",
                  "-Djna.nosys=true",
                  "-Dopensearch.path.home=" + home,
                  "-Dopensearch.path.conf=" + home.resolve("config"),
                  "-cp",
                  Files.readString(parts().resolve("classpath")).strip(),
                  "org.opensearch.bootstrap.OpenSearch")
              .directory(home.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        address = "http://" + await(ports);
      } catch (Throwable failure) {
        process.destroyForcibly();
        throw failure;
      }
    }

    /** Returns the last address that the node writes to a file when it serves HTTP. */
    private String await(Path ports) throws IOException, InterruptedException {
      long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(START_MINUTES);
      while (!Files.exists(ports)) {
        boolean ended = process.waitFor(100, TimeUnit.MILLISECONDS);
        assertThat(ended || System.nanoTime() > until).as(Files.readString(log)).isFalse();
      }
      List<String> addresses = Files.readAllLines(ports); // It gets its name when it is complete.
      return addresses.get(addresses.size() - 1);
    }

    Map<String, Object> ask(String method, String path, String body)
        throws IOException, InterruptedException {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(address + path))
                  .method(method, BodyPublishers.ofString(body))
                  .header("Content-Type", "application/json")
                  .timeout(Duration.ofMinutes(3))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isEqualTo(200);
      return XContentHelper.convertToMap(JsonXContent.jsonXContent, answer.body(), false);
    }

    @Override
    public void close() throws InterruptedException {
      process.destroy();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("the node did not stop");
      }
    }
  }
}
