// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.files.StoreFileNames;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that clones and restored snapshots read through links. */
final class LinkedFilesTest {
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";
  private static final String LINK = "some.table=" + REGION + "-" + FILE;

  @TempDir Path directory;

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());
  private final Configuration packing = new Configuration();
  private SampleHFile file;
  private SampleHFile fileOfPacking;

  @BeforeEach
  void write() throws Exception {
    packing.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, true);
    file = write(new Configuration());
    fileOfPacking = write(packing);
  }

  private SampleHFile write(Configuration configuration) throws Exception {
    return SampleHFile.write(
        directory.resolve(FILE),
        25,
        configuration,
        Compression.Algorithm.GZ,
        DataBlockEncoding.NONE);
  }

  @AfterEach
  void close() {
    cache.shutdown();
  }

  private void read(SampleHFile read) throws Exception {
    try (HFile.Reader reader = read.open(cache)) {
      assertThat(read.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
  }

  @Test
  void shouldKnowTheFileOfALink() {
    String half = FILE + "." + REGION;
    assertThat(StoreFileNames.fileOf(LINK)).isEqualTo(FILE);
    assertThat(StoreFileNames.fileOf("ns=" + LINK)).isEqualTo(FILE);
    assertThat(StoreFileNames.fileOf("a.b=" + REGION + "-" + FILE)).isEqualTo(FILE);
    assertThat(StoreFileNames.fileOf(half)).isEqualTo(half);
    assertThat(StoreFileNames.fileOf("a=b")).isEqualTo("a=b");
    assertThat(StoreFileNames.parentOf("a.b=" + REGION + "-" + FILE)).isNull();
    assertThat(StoreFileNames.parentOf(LINK + "." + REGION)).as("half of a link").isEqualTo(FILE);
  }

  @Test
  void shouldEvictTheBlocksOfAFileByTheNameOfALink() throws Exception {
    read(file);
    int blocks = file.countDataBlocks();
    assertThat(cache.evictBlocksByHfileName(LINK)).isEqualTo(blocks);
    assertThat(cache.getBlockCount()).isZero();
    read(file);
    assertThat(cache.getStats().getHitCount()).isZero();
  }

  @Test
  void shouldRegisterAFileOnceUnderAllOfItsNames() {
    cache.registerFile(FILE, 1000);
    cache.registerFile(LINK, 1000);
    assertThat(engine.control().dataSet().bytes()).hasValue(1000);
    cache.unregisterFile(FILE);
    assertThat(engine.control().dataSet().bytes()).hasValue(1000);
    cache.unregisterFile(LINK);
    assertThat(engine.control().dataSet().bytes()).hasValue(0);
  }

  /** An {@code alter} changes the form that the readers of one table expect. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMissABlockOfAnotherForm(boolean packedBefore) throws Exception {
    cache.forms().opened(FILE, packedBefore);
    read(packedBefore ? fileOfPacking : file);
    assertThat(cache.getBlockCount()).isEqualTo(file.countDataBlocks());
    cache.forms().closed(FILE, packedBefore);
    cache.forms().opened(LINK, !packedBefore);

    read(packedBefore ? file : fileOfPacking);

    assertThat(cache.getStats().getHitCount()).isZero();
    assertThat(cache.corruptBlocks()).isZero();
    read(packedBefore ? file : fileOfPacking);
    assertThat(cache.getStats().getHitCount()).isEqualTo(file.countDataBlocks());
  }

  /** The table and its clone may be served at once, and only the clone was altered. */
  @Test
  void shouldServeNeitherReaderWhereTheyExpectDifferentForms() throws Exception {
    cache.forms().opened(FILE, false);
    read(file);
    cache.forms().opened(LINK, true);
    for (int i = 0; i < 2; i++) {
      read(fileOfPacking);
      read(file);
    }
    assertThat(cache.getStats().getHitCount()).isZero();

    cache.forms().closed(LINK, true);
    read(file);
    read(file);
    assertThat(cache.getStats().getHitCount()).isGreaterThanOrEqualTo(file.countDataBlocks());
  }

  @Test
  void shouldServeUncompressedBlocksInAnyForm() throws Exception {
    SampleHFile plain = SampleHFile.write(directory.resolve("plain"), 25);
    read(plain);
    cache.forms().opened(plain.name(), true);
    read(plain);
    assertThat(cache.getStats().getHitCount()).isEqualTo(plain.countDataBlocks());
  }

  /** Cells of MOB files are read with caching on, and by a compaction all the same. */
  @Test
  void shouldCountNoReadOfACompactionAsALookup() throws Exception {
    Thread compaction =
        new Thread(
            () -> cache.getBlock(new BlockCacheKey(FILE, 7), true, false, true),
            "host-longCompactions-0");
    compaction.start();
    compaction.join();
    assertThat(engine.stats().lookups()).isZero();
  }
}
