// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.host.ReasonCounts;
import io.nvcache.micrometer.NvCacheMetrics;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * An HTTP endpoint for Prometheus with the meters of the cache and of the node, for nodes without
 * an exporter. Thread-safe; clients that stall stop no other.
 */
public final class PrometheusEndpoint implements AutoCloseable {
  private static final String PATH = "/metrics";
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String CACHE = "cassandra";

  /** Half of Prometheus' own limit for a scrape. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final HttpServer server;
  private final RequestThreads threads;

  private PrometheusEndpoint(HttpServer server, RequestThreads threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Listens.
   *
   * @throws IOException if the address is taken or not of this machine
   */
  public static PrometheusEndpoint start(InetSocketAddress address, Tier tier, BlockCache cache)
      throws IOException {
    return start(address, tier, cache, LIMIT);
  }

  /**
   * Listens.
   *
   * @param limit for a request and its answer
   * @throws IOException if the address is taken or not of this machine
   */
  public static PrometheusEndpoint start(
      InetSocketAddress address, Tier tier, BlockCache cache, Duration limit) throws IOException {
    PrometheusEndpoint endpoint =
        new PrometheusEndpoint(HttpServer.create(address, 0), new RequestThreads(limit));
    endpoint.bind(tier, cache);
    endpoint.server.setExecutor(endpoint.threads);
    endpoint.server.createContext(PATH, endpoint::answer);
    endpoint.server.start();
    return endpoint;
  }

  private void bind(Tier tier, BlockCache cache) {
    new NvCacheMetrics(cache, CACHE, Tags.empty()).withCacheMeters().bindTo(registry);
    FunctionCounter.builder(
            "nvcache.cassandra.compaction.hits", tier.compactionHits(), LongAdder::sum)
        .description("Chunks that compactions read from the cache, which are not lookups")
        .tag("cache", CACHE)
        .register(registry);
    for (Bypass reason : Bypass.values()) {
      FunctionCounter.builder(
              "nvcache.cassandra.bypasses", tier.bypasses(), bypasses -> bypasses.of(reason))
          .description("What Cassandra did past the cache")
          .tag("cache", CACHE)
          .tag("reason", ReasonCounts.name(reason))
          .register(registry);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", TEXT);
      exchange.sendResponseHeaders(200, text.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(text);
      }
    }
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    registry.close();
  }
}
