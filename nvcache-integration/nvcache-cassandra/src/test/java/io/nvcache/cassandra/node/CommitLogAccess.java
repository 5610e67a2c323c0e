// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.util.Map;

/** How Cassandra writes the segments of its commit log. */
enum CommitLogAccess {
  /** What it does by itself: by stores to a mapping. */
  MAPPED {
    @Override
    void writeTo(Map<String, String> yaml) {
      yaml.put("commitlog_disk_access_mode", "mmap");
    }
  },
  /** By writes of a channel, each compressed. */
  COMPRESSED {
    @Override
    void writeTo(Map<String, String> yaml) {
      yaml.put("commitlog_compression", "[{class_name: LZ4Compressor}]");
    }
  },
  /** By writes of whole blocks to a channel that has no page cache, and no sync. */
  DIRECT {
    @Override
    void writeTo(Map<String, String> yaml) {
      yaml.put("commitlog_disk_access_mode", "direct");
    }
  };

  abstract void writeTo(Map<String, String> yaml);
}
