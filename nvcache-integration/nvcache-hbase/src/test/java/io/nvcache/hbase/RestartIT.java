// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with its blocks on flash, stopped and killed under load, and started again. */
class RestartIT {
  private static final String BEAN =
      "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=NvCache,*";

  private static final int ROWS = 20_000;
  private static final int WARMING_READS = 40_000;
  private static final int COUNTED_READS = 10_000;

  /** Of the share of hits before: a kill loses the regions that were open. */
  private static final double LEAST_SHARE_OF_HITS = 0.97;

  @TempDir private Path directory;

  /** Counts of the cache since its server was started. */
  private record Counts(long lookups, long hits, long restoredBlocks) {
    static Counts of(Connection connection) throws Exception {
      String page = StandaloneHBase.page(connection, BEAN);
      assertThat(page)
          .contains("\"State\": \"SERVING\"")
          .containsPattern("\"Medium\": \"flash .*bytes");
      return new Counts(count(page, "Lookups"), count(page, "Hits"), count(page, "RestoredBlocks"));
    }

    private static long count(String page, String attribute) {
      Matcher matcher = Pattern.compile("\"" + attribute + "\"\\s*:\\s*(\\d+)").matcher(page);
      assertThat(matcher.find()).as("%s of %s", attribute, page).isTrue();
      return Long.parseLong(matcher.group(1));
    }

    double hitRatioSince(Counts before) {
      return (double) (hits - before.hits) / (lookups - before.lookups);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stop", "kill"})
  void shouldHitAsOftenAsBefore(String end) throws Exception {
    StandaloneHBase hbase =
        new StandaloneHBase(directory)
            .set("hbase.regionserver.impl", NvCacheRegionServer.class.getName())
            .set("hbase.nvcache.medium", "flash");
    Process process = hbase.start();
    VersionedTable table;
    double before;
    try (Connection connection = hbase.connect()) {
      table = VersionedTable.create(connection, "warm");
      table.write(0, ROWS);
      connection.getAdmin().flush(table.name());
      table.check(WARMING_READS);
      Counts warm = Counts.of(connection);
      table.check(COUNTED_READS);
      before = Counts.of(connection).hitRatioSince(warm);
      if (end.equals("kill")) {
        process.destroyForcibly().waitFor();
      }
    } finally {
      StandaloneHBase.stop(process);
    }
    process = hbase.start();
    try (Connection connection = hbase.connect()) {
      Counts started = Counts.of(connection);
      VersionedTable found = table.over(connection);
      found.check(COUNTED_READS);
      Counts after = Counts.of(connection);
      System.out.printf(
          "hits %.4f before, %.4f after, blocks restored %d%n",
          before, after.hitRatioSince(started), after.restoredBlocks());
      assertThat(after.restoredBlocks()).isPositive();
      assertThat(after.hitRatioSince(started)).isGreaterThan(LEAST_SHARE_OF_HITS * before);
      found.checkAll();
    } finally {
      StandaloneHBase.stop(process);
    }
    hbase.assertServedWithoutLeaks();
  }
}
