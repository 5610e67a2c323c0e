// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server with a cache and the endpoint of docs/run/watch.md, as Prometheus sees it. */
final class ScrapedServer implements AutoCloseable {
  private static final Pattern SAMPLE =
      Pattern.compile("^(\\w+)\\{([^}]*)\\} (\\S+)$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  /** One number of a scrape. */
  record Sample(String series, Map<String, String> labels, double value) {}

  private final String instance;
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(4096)
          .maintainedByCaller()
          .shadows(0.5, "live@20%")
          .build();
  private final HttpServer endpoint;

  /** Serves a cache that has been used; all servers give theirs the same name. */
  ScrapedServer(String instance) throws IOException {
    this.instance = instance;
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    NvCacheMetrics.monitor(registry, cache, "blocks");
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/metrics",
        exchange -> {
          byte[] page = registry.scrape().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    endpoint.start();
    ByteBuffer block = ByteBuffer.allocate(4096);
    for (int i = 0; i < 2_000; i++) {
      long offset = i % 300 * 4096L;
      if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
        cache.offer(1, offset, block.clear(), Source.READ);
      }
    }
  }

  /** All samples of one scrape, with the labels that Prometheus adds. */
  List<Sample> scrape() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + endpoint.getAddress().getPort() + "/metrics"))
            .build();
    String page =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    List<Sample> samples = new ArrayList<>();
    Matcher sample = SAMPLE.matcher(page);
    while (sample.find()) {
      Map<String, String> labels = new TreeMap<>(Map.of("instance", instance, "job", "store"));
      LABEL
          .matcher(sample.group(2))
          .results()
          .forEach(label -> labels.put(label.group(1), label.group(2)));
      samples.add(new Sample(sample.group(1), labels, Double.parseDouble(sample.group(3))));
    }
    return samples;
  }

  @Override
  public void close() {
    endpoint.stop(0);
    cache.close();
  }
}
