// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegionFilesTest {
  private final NvHBaseBlockCache cache =
      new NvHBaseBlockCache(
          BlockCache.builder().nativeMemory(4 << 20).expectedBlockBytes(1024).build(),
          new FileIdRegistry());
  private final RegionFiles files = new RegionFiles();

  /** What the region's store lists. */
  private final List<StoreFile> listed = new ArrayList<>();

  private final Region region =
      only(Region.class, "getStores", List.of(only(Store.class, "getStorefiles", listed)));

  @AfterEach
  void close() {
    cache.shutdown();
  }

  /** Returns an object that answers one question. */
  private static <T> T only(Class<T> type, String question, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals(question)) {
                return answer;
              }
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  private static StoreFile file(String name) {
    return only(StoreFile.class, "getPath", new Path("/store/" + name));
  }

  @Test
  void shouldFollowWhatTheStoreLists() {
    listed.add(file("a"));
    files.replace(cache, region);
    assertThat(files.names()).containsExactly("a");
    listed.set(0, file("b"));
    files.replace(cache, region);
    assertThat(files.names()).containsExactly("b");
    files.close(cache);
    assertThat(files.names()).isEmpty();
  }

  /** A flush of another store may come before the store lists what its compaction made. */
  @Test
  void shouldKeepWhatACompactionMadeUntilItIsListed() {
    listed.addAll(List.of(file("a"), file("b")));
    files.replace(cache, region);
    files.compacted(cache, List.copyOf(listed), file("made"));
    files.replace(cache, region);
    assertThat(files.names()).containsExactly("made");
    listed.clear();
    listed.add(file("made"));
    files.replace(cache, region);
    assertThat(files.names()).containsExactly("made");
    listed.clear();
    files.replace(cache, region);
    assertThat(files.names()).isEmpty();
  }

  @Test
  void shouldForgetWhatACompactionMadeThatIsCompactedItself() {
    files.compacted(cache, List.of(), file("first"));
    files.compacted(cache, List.of(file("first")), file("second"));
    listed.add(file("second"));
    files.replace(cache, region);
    assertThat(files.names()).containsExactly("second");
  }
}
