// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class NodeReportsTest {
  @Test
  void shouldShowTheCacheBesideCassandrasBeansAsDocumentedUntilItIsClosed() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name;
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(1 << 20).maxBlockBytes(4096).build()) {
      name = NodeReports.register(cache);
      assertThat(name).hasToString("org.apache.cassandra.db:type=NvCache,name=cassandra");
      assertThat(server.getAttribute(name, "CapacityBytes")).isEqualTo(1L << 20);
    }
    assertThat(server.isRegistered(name)).isFalse();
    assertThat(Files.readString(Path.of("..", "..", "docs", "reference", "cassandra.md")))
        .contains("| `" + name + "` |");
  }
}
