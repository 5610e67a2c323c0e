// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.Tier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrometheusEndpointTest {
  @Test
  void shouldTellTheCountsOfTheCacheAndOfTheNode() throws Exception {
    Tier tier = new Tier(thread -> false);
    try (BlockCache cache =
            BlockCache.builder().nativeMemory(16 << 20).maintainedByCaller().build();
        PrometheusEndpoint endpoint =
            PrometheusEndpoint.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tier, cache)) {
      tier.bypasses().count(Bypass.SHORT_READ);
      tier.compactionHits().add(3);
      cache.get(1, 0, ByteBuffer.allocate(16));
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(
                              "http://127.0.0.1:" + endpoint.address().getPort() + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/plain");
      assertThat(answer.body())
          .contains("cache_gets_total{cache=\"cassandra\",result=\"miss\"} 1.0")
          .contains("nvcache_cassandra_compaction_hits_total{cache=\"cassandra\"} 3.0")
          .contains(
              "nvcache_cassandra_bypasses_total{cache=\"cassandra\",reason=\"short-read\"} 1.0");
    }
  }

  /** One after the other, they would take more than a minute. */
  @ParameterizedTest
  @CsvSource({"12, 2000", "200, 2000"})
  void shouldAnswer_WhileOtherClientsStall(int clients, int limitMillis) throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try (BlockCache cache =
            BlockCache.builder().nativeMemory(16 << 20).maintainedByCaller().build();
        PrometheusEndpoint endpoint =
            PrometheusEndpoint.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new Tier(thread -> false),
                cache,
                Duration.ofMillis(limitMillis))) {
      for (int i = 0; i < clients; i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort());
        client.getOutputStream().write('G');
        stalled.add(client);
      }
      try (Socket client =
          new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort())) {
        client.setSoTimeout(20_000);
        client
            .getOutputStream()
            .write("GET /metrics HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("HTTP/1.1 200")
            .contains("nvcache_lookups_total{cache=\"cassandra\",result=\"miss\"} 0.0");
      }
    } finally {
      for (Socket client : stalled) {
        client.close();
      }
    }
  }
}
