// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/** Makes store files by the constructors that all releases of HBase have. */
public final class StoreFiles {
  private static final HFileLink NO_LINK = null;

  private StoreFiles() {}

  /** Returns one that has a path, and nothing else. */
  public static StoreFile named(String path) {
    return (StoreFile)
        Proxy.newProxyInstance(
            StoreFile.class.getClassLoader(),
            new Class<?>[] {StoreFile.class},
            (proxy, method, arguments) ->
                method.getName().equals("getPath") ? new Path(path) : null);
  }

  /** Returns a store file whose reader is not open. */
  public static HStoreFile storeFile(
      FileSystem fileSystem, Path path, Configuration configuration, CacheConfig caches)
      throws IOException {
    StoreFileInfo info =
        new StoreFileInfo(configuration, fileSystem, fileSystem.getFileStatus(path), NO_LINK);
    return new HStoreFile(info, BloomType.NONE, caches);
  }
}
