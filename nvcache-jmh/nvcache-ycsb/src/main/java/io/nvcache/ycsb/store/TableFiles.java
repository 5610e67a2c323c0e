// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Makes and opens the HFiles of one store. Thread-safe. */
final class TableFiles {
  private final Path directory;
  private final DirectIo directIo;
  private final Configuration configuration;
  private final DirectIoFileSystem fileSystem;
  private final HFileContext context;

  TableFiles(Path directory, DirectIo directIo, int blockBytes) throws IOException {
    this.directory = directory;
    this.directIo = directIo;
    this.configuration = new Configuration();
    // A Bloom filter is cached in pieces, which should not be longer than data blocks.
    configuration.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, blockBytes);
    this.fileSystem = new DirectIoFileSystem(directIo, configuration);
    this.context =
        new HFileContextBuilder()
            .withBlockSize(blockBytes)
            .withHBaseCheckSum(true)
            .withChecksumType(ChecksumType.CRC32C)
            .build();
  }

  Configuration configuration() {
    return configuration;
  }

  DirectIo directIo() {
    return directIo;
  }

  /** A place for a new file, with a name that no file ever had: caches follow the name. */
  Path newPath() {
    return directory.resolve(UUID.randomUUID().toString().replace("-", ""));
  }

  HFile.Writer writer(Path file, CacheConfig caches) throws IOException {
    return HFile.getWriterFactory(configuration, caches)
        .withPath(fileSystem, DirectIoFileSystem.path(file))
        .withFileContext(context)
        .create();
  }

  HFile.Reader reader(Path file, CacheConfig caches) throws IOException {
    return HFile.createReader(
        fileSystem, DirectIoFileSystem.path(file), caches, true, configuration);
  }

  /** Names a file as a region server does, without a reader yet. */
  HStoreFile storeFile(Path file, CacheConfig caches) throws IOException {
    return new HStoreFile(
        fileSystem, DirectIoFileSystem.path(file), configuration, caches, BloomType.NONE, true);
  }

  /** Opens files for reading through the caches; opens all of them or none. */
  List<TableFile> open(List<Path> paths, CacheTiers tiers) throws IOException {
    List<TableFile> opened = new ArrayList<>();
    try {
      for (Path path : paths) {
        opened.add(TableFile.open(path, this, tiers));
      }
      return opened;
    } catch (IOException | RuntimeException e) {
      for (TableFile file : opened) {
        file.close();
      }
      throw e;
    }
  }

  static void delete(List<Path> files) throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
