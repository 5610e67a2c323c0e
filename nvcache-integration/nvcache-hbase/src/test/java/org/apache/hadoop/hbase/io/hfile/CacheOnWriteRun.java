// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import io.nvcache.hbase.CarryingCache;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.site.TwoTierBlockCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runners.model.TestClass;
import org.junit.runners.parameterized.BlockJUnit4ClassRunnerWithParametersFactory;
import org.junit.runners.parameterized.TestWithParameters;

/**
 * HBase's published TestCacheOnWrite, which names the caches that it tries, with another cache in
 * their place: a program whose argument says how NVCache is joined to DRAM.
 */
public final class CacheOnWriteRun {
  private CacheOnWriteRun() {}

  /** Prints {@code RESULT class run failed ignored}. */
  public static void main(String[] arguments) throws Exception {
    BlockCache cache = cache(arguments[0], HBaseConfiguration.create());
    int run = 0;
    int failed = 0;
    int ignored = 0;
    for (List<Object> parameters : parametersWithoutCache()) {
      List<Object> all = new ArrayList<>(parameters);
      all.add(cache);
      TestWithParameters test =
          new TestWithParameters(parameters.toString(), new TestClass(TestCacheOnWrite.class), all);
      Result result =
          new JUnitCore()
              .run(
                  Request.runner(
                      new BlockJUnit4ClassRunnerWithParametersFactory()
                          .createRunnerForTestWithParameters(test)));
      result
          .getFailures()
          .forEach(failure -> System.out.println("FAILED " + failure + "\n" + failure.getTrace()));
      run += result.getRunCount();
      failed += result.getFailureCount();
      ignored += result.getIgnoreCount();
    }
    System.out.printf(
        "RESULT %s %d %d %d%n", TestCacheOnWrite.class.getName(), run, failed, ignored);
    System.exit(0); // HBase leaves threads.
  }

  private static BlockCache cache(String topology, Configuration configuration) {
    if (topology.equals("external")) {
      return BlockCacheFactory.createBlockCache(configuration);
    }
    NvHBaseBlockCache cache = new NvHBaseBlockCache(configuration);
    return switch (topology) {
      case "alone" -> cache;
      case "carrying" -> new CarryingCache(configuration);
      case "combined" -> cache.below(dram(configuration));
      case "tiered" -> new TwoTierBlockCache(dram(configuration), cache);
      default -> throw new IllegalArgumentException(topology);
    };
  }

  private static LruBlockCache dram(Configuration configuration) {
    return new LruBlockCache(64 << 20, 64 << 10, true, configuration);
  }

  /** The kinds of blocks to cache, the compressions, and whether to cache packed. */
  private static Set<List<Object>> parametersWithoutCache() throws Exception {
    Set<List<Object>> parameters = new LinkedHashSet<>();
    for (Object[] each : TestCacheOnWrite.getParameters()) {
      parameters.add(Arrays.asList(each).subList(0, each.length - 1));
    }
    return parameters;
  }
}
