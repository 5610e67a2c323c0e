// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Properties;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedCacheTest {
  @TempDir private Path directory;

  private static Properties properties(String... keysAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.setProperty("nvcache.lucene." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void shouldBeBuiltByPropertiesAndShowItself() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName bean = new ObjectName("io.nvcache:type=LuceneCache,name=\"built\"");
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (LuceneCache cache =
            SharedCache.build(
                properties(
                    "capacity.bytes",
                    "8388608",
                    "block.bytes",
                    "4096",
                    "name",
                    "built",
                    "file",
                    directory.resolve("blocks").toString()));
        NvCacheFSDirectory files =
            new NvCacheFSDirectory(directory, FSLockFactory.getDefault(), cache)) {
      LuceneMetrics.bind(registry, cache, "built");
      assertThat(cache.blockBytes()).isEqualTo(4096);
      assertThat(cache.blocks().stats().capacityBytes()).isEqualTo(8388608);
      try (IndexOutput out = files.createOutput("_0.doc", IOContext.DEFAULT)) {
        out.writeInt(7);
      }
      try (IndexInput in = files.openInput("_0.doc", IOContext.DEFAULT)) {
        assertThat(in.readInt()).isEqualTo(7);
      }
      TabularData misses = (TabularData) server.getAttribute(bean, "Misses");
      assertThat(misses.get(new Object[] {"doc"}).get("value")).isEqualTo(1L);
      assertThat(server.getAttribute(bean, "DelegateRequests")).isEqualTo(1L);
      assertThat(
              registry
                  .get("nvcache.lucene.reads")
                  .tags("extension", "doc", "result", "miss")
                  .functionCounter()
                  .count())
          .isEqualTo(1);
    }
    assertThat(server.isRegistered(bean)).isFalse();
  }

  @Test
  void shouldTakeTheShortestBlocksThatThereAre() {
    Properties shortest = properties("block.bytes", "1024", "name", "shortest");
    try (LuceneCache cache = SharedCache.build(shortest)) {
      assertThat(cache.blockBytes()).isEqualTo(1024);
    }
  }

  /** Each core of a search engine asks anew. */
  @Test
  void shouldSayWhatIsWrongEachTime() {
    Properties wrong = properties("block.bytes", "20000", "name", "wrong");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> SharedCache.build(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("blocks of 20000 bytes");
    }
  }

  @Test
  void shouldNameAPropertyThatIsMistyped() {
    assertThatThrownBy(() -> SharedCache.build(properties("capacity.byte", "1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nvcache.lucene.capacity.bytes");
    assertThatThrownBy(() -> SharedCache.build(properties("capacity.bytes", "much")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("much");
  }
}
