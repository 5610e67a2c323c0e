// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.nio.file.Path;
import java.security.CodeSource;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Has HBase make its caches by its settings and read a file through them: for {@link OneJarIT},
 * which starts it with the class path of a server, and one jar more.
 */
final class ServedFromOneJar {
  private ServedFromOneJar() {}

  /** Takes the medium and a directory; prints what was served and by which jars. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    Configuration configuration = new Configuration();
    configuration.setBoolean("hbase.blockcache.use.external", true);
    configuration.set("hbase.blockcache.external.class", "io.nvcache.hbase.NvHBaseBlockCache");
    configuration.set("hbase.nvcache.capacity.bytes", "67108864");
    configuration.set("hbase.nvcache.policies", "admit-all");
    configuration.set("hbase.nvcache.medium", arguments[0]);
    if (!arguments[0].equals("native")) {
      configuration.set("hbase.nvcache.path", directory.resolve("nvcache.data").toString());
    }
    BlockCache cache = BlockCacheFactory.createBlockCache(configuration);
    BlockCache second = ((CombinedBlockCache) cache).getSecondLevelCache();
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), 1);
    try (HFile.Reader reader = file.open(second)) {
      int read = file.countEqualCells(reader);
      long missed = second.getStats().getMissCount();
      int again = file.countEqualCells(reader);
      long hits = second.getStats().getHitCount();
      System.out.println("cells " + read + " and " + again);
      System.out.println("hits " + (hits >= file.countDataBlocks() ? "all" : "" + hits));
      System.out.println("further misses " + (second.getStats().getMissCount() - missed));
    } finally {
      cache.shutdown();
    }
    for (String name :
        new String[] {
          "io.nvcache.hbase.NvHBaseBlockCache",
          "io.nvcache.BlockCache",
          "net.openhft.chronicle.core.OS",
          "org.slf4j.Logger"
        }) {
      CodeSource source = Class.forName(name).getProtectionDomain().getCodeSource();
      System.out.println(name + " from " + Path.of(source.getLocation().toURI()).getFileName());
    }
  }
}
