// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

final class ZipfianReadsTest {
  private static final int ROWS = 1000;
  private static final byte[] FAMILY = {'f'};

  private final Map<String, Integer> readsOf = new ConcurrentHashMap<>();

  private static ZipfianReads reads() {
    return new ZipfianReads(
        new ClientsSettings(
            List.of(),
            List.of(),
            List.of(),
            1,
            ROWS,
            1,
            4,
            1,
            new ServerBase(1, Duration.ofMillis(20), 0, ""),
            "",
            Path.of("here")));
  }

  /** Counts what is read of each row. */
  private Result find(Get get) {
    String row = new String(get.getRow(), StandardCharsets.US_ASCII);
    readsOf.merge(row, 1, Integer::sum);
    return Result.create(new Cell[] {new KeyValue(get.getRow(), FAMILY, FAMILY, get.getRow())});
  }

  private static Connection connection(Function<Get, Result> server) {
    Table table =
        proxy(
            Table.class,
            arguments ->
                arguments == null ? Result.EMPTY_RESULT : server.apply((Get) arguments[0]));
    return proxy(Connection.class, arguments -> table);
  }

  private static <T> T proxy(Class<T> type, Function<Object[], Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getReturnType() == void.class ? null : answer.apply(arguments)));
  }

  @Test
  void shouldReadFewRowsMostOfTheTime() throws Exception {
    LoadResult result = reads().read(connection(this::find), 20_000, 7);

    assertThat(readsOf.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(20_000);
    assertThat(readsOf.keySet())
        .hasSizeGreaterThan(ROWS / 2)
        .allMatch(row -> row.length() == 26 && Long.parseLong(row) < ROWS);
    assertThat(Collections.max(readsOf.values())).isGreaterThan(20_000 / 10);
    assertThat(result.rowsPerSecond()).isPositive();
    assertThat(result.micros()).containsOnlyKeys(LoadResult.PERCENTILES);
  }

  @Test
  void shouldReadTheSameRowsOfEachServer() throws Exception {
    reads().read(connection(this::find), 1000, 7);
    Map<String, Integer> first = Map.copyOf(readsOf);
    readsOf.clear();
    reads().read(connection(this::find), 1000, 7);
    assertThat(readsOf).isEqualTo(first);
  }

  @Test
  void shouldRefuseATableThatLacksRows() {
    Connection connection = connection(get -> Result.EMPTY_RESULT);
    assertThatThrownBy(() -> reads().read(connection, 1000, 7))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasStackTraceContaining("of 1000 is not there");
  }
}
