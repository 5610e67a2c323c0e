// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;

/**
 * The directories of this machine in which HBase's files lie: its root, if that is local, and those
 * of a data node of HDFS, if the configuration names some that are here.
 */
public final class StoreDirectories {
  private static final String DATA_NODE_DIRECTORIES = "dfs.datanode.data.dir";

  private StoreDirectories() {}

  public static List<Path> of(Configuration configuration) {
    List<Path> directories = new ArrayList<>();
    String root = configuration.getTrimmed(HConstants.HBASE_DIR, "");
    if (!root.isEmpty()) {
      add(new org.apache.hadoop.fs.Path(root).toUri(), configuration, directories);
    }
    for (String place : configuration.getTrimmedStrings(DATA_NODE_DIRECTORIES)) {
      // As in [SSD]file:///data: the kind of storage comes first.
      String directory = place.substring(place.indexOf(']') + 1);
      Path path = Path.of(new org.apache.hadoop.fs.Path(directory).toUri().getPath());
      if (Files.isDirectory(path)) {
        directories.add(path);
      }
    }
    return directories;
  }

  private static void add(URI root, Configuration configuration, List<Path> directories) {
    String scheme =
        root.getScheme() == null
            ? FileSystem.getDefaultUri(configuration).getScheme()
            : root.getScheme();
    if ("file".equals(scheme)) {
      directories.add(Path.of(root.getPath()));
    }
  }
}
