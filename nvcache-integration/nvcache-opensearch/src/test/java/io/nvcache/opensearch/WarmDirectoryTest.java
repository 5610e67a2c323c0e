// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.CacheStats;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.StringHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.store.remote.filecache.FileCache;
import org.opensearch.index.store.remote.filecache.FileCacheFactory;
import org.opensearch.plugins.BlockCacheStats;

/** Which bytes a name of a shard means, and where they are read. */
@Timeout(60)
final class WarmDirectoryTest {
  private static final int BLOCK_BYTES = 1 << 10;
  private static final int NUMBERS = 5000;
  private static final int MOST_READS = 50;
  private static final String FILE = "_0.tst";

  @TempDir private Path folder;
  private final NodeCache cache = UploadingDirectory.cache(BLOCK_BYTES, 4 << 20);
  private RemoteFolder remote;
  private Path local;
  private CachedWarmDirectory shard;

  @BeforeEach
  void open() throws IOException {
    local = Files.createDirectories(folder.resolve("local"));
    remote = new RemoteFolder(folder.resolve("remote"));
    shard = openShard(null);
  }

  private CachedWarmDirectory openShard(FileCache fileCache) throws IOException {
    return (CachedWarmDirectory)
        cache.directory(new NIOFSDirectory(local), remote.directory, fileCache);
  }

  @AfterEach
  void close() throws IOException {
    shard.close();
    cache.close();
  }

  private static void write(Directory directory, String name, int seed) throws IOException {
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      CodecUtil.writeIndexHeader(output, "Test", 1, StringHelper.randomId(), "");
      for (int i = 0; i < NUMBERS; i++) {
        output.writeInt(seed + i);
      }
      CodecUtil.writeFooter(output);
    }
  }

  private static void read(IndexInput input, int seed) throws IOException {
    input.seek(CodecUtil.indexHeaderLength("Test", ""));
    for (int i = 0; i < NUMBERS; i++) {
      assertThat(input.readInt()).isEqualTo(seed + i);
    }
  }

  private static void read(Directory directory, String name, int seed) throws IOException {
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      read(input, seed);
    }
  }

  private void upload(String name) throws IOException {
    remote.directory.copyFrom(shard, name, name, IOContext.READONCE);
    shard.afterSyncToRemote(name);
  }

  /** Puts a file into the remote store that another node wrote. */
  private void uploadElsewhere(String name, int seed) throws IOException {
    try (Directory other = FSDirectory.open(folder.resolve("other" + seed))) {
      write(other, name, seed);
      remote.directory.copyFrom(other, name, name, IOContext.READONCE);
    }
  }

  private long requests() {
    return cache.remoteCounts().requests.sum();
  }

  @Test
  void shouldGiveSpaceBackOnceUploaded_WhileReadersGoOn() throws IOException {
    write(shard, FILE, 1);
    try (IndexInput input = shard.openInput(FILE, IOContext.DEFAULT);
        IndexInput clone = input.clone()) {
      assertThat(input.readByte()).isEqualTo(clone.readByte());
      assertThat(cache.localBytes()).isPositive();
      upload(FILE);
      assertThat(local.resolve(FILE)).doesNotExist();
      assertThat(cache.localBytes()).isZero();
      read(input, 1);
      read(clone, 1);
      read(shard, FILE, 1);
    }
    assertThat(requests()).isPositive();
    assertThat(shard.listAll()).containsExactly(FILE);
    assertThat(shard.fileLength(FILE)).isGreaterThan(NUMBERS * Integer.BYTES);
  }

  @Test
  void shouldCountLocalBytesAgainOnceTheFolderCanBeListed() throws IOException {
    write(shard, FILE, 1);
    long bytes = cache.localBytes();
    assertThat(bytes).isPositive();
    Path aside = Files.move(local, folder.resolve("aside"));
    assertThat(cache.localBytes()).isZero();
    Files.move(aside, local);
    assertThat(cache.localBytes()).isEqualTo(bytes);
  }

  /** A reader's copy of a block on flash keeps nothing of the cache from its eviction. */
  @ParameterizedTest
  @ValueSource(strings = {NodeSettings.NATIVE, "mapped", NodeSettings.FLASH})
  void shouldCountAsActiveWhatCanNotBeEvicted(String medium) throws IOException {
    Settings settings =
        Settings.builder()
            .put("nvcache.capacity", "32mb")
            .put("nvcache.block.size", BLOCK_BYTES + "b")
            .put("nvcache.medium", medium)
            .put("nvcache.policies", "admit-all")
            .build();
    Path place = Files.createDirectories(folder.resolve(medium));
    try (NodeCache node =
            new NodeCache(NodeSettings.build(settings, place, "test-" + medium), medium);
        Directory shard = node.directory(new NIOFSDirectory(local), remote.directory, null)) {
      uploadElsewhere(FILE, 1);
      read(shard, FILE, 1);
      try (IndexInput input = shard.openInput(FILE, IOContext.DEFAULT)) {
        CacheStats blocks = node.cache().blocks().stats();
        for (int i = 0; i < MOST_READS && blocks.pinnedBytes() == 0; i++) {
          read(input, 1);
          blocks = node.cache().blocks().stats();
        }
        assertThat(blocks.pinnedBytes() > 0).isNotEqualTo(medium.equals(NodeSettings.NATIVE));
        BlockCacheStats stats = node.stats();
        if (medium.equals("mapped")) {
          assertThat(stats.activeInBytes()).isBetween(1L, (long) BLOCK_BYTES);
        } else {
          assertThat(stats.activeInBytes()).isZero();
        }
        assertThat(stats.memoryBytesUsed() > 0).isEqualTo(medium.equals(NodeSettings.NATIVE));
        assertThat(stats.diskBytesUsed() > 0).isNotEqualTo(medium.equals(NodeSettings.NATIVE));
      }
    }
  }

  @Test
  void shouldKeepWhatWasCachedBeforeItsUpload() throws IOException {
    write(shard, FILE, 1);
    read(shard, FILE, 1);
    upload(FILE);
    long before = requests();
    read(shard, FILE, 1);
    assertThat(requests()).isEqualTo(before);
  }

  @Test
  void shouldKeepTheLocalFileIfTheObjectIsAnother() throws IOException {
    write(shard, FILE, 1);
    uploadElsewhere(FILE, 2);
    shard.afterSyncToRemote(FILE);
    assertThat(cache.remoteCounts().refusedUploads.sum()).isEqualTo(1);
    read(shard, FILE, 1);
    shard.afterSyncToRemote("_1.tst"); // Never heard of it.
    upload(FILE);
    read(shard, FILE, 1);
    assertThat(local.resolve(FILE)).doesNotExist();
  }

  @Test
  void shouldReadAnObjectByItsName_WhateverTheMetadataSaysByThen() throws IOException {
    uploadElsewhere(FILE, 1);
    try (IndexInput input = shard.openInput(FILE, IOContext.DEFAULT)) {
      remote.directory.init(); // The store has no metadata yet, and so no file.
      assertThat(shard.listAll()).isEmpty();
      read(input, 1);
    }
    uploadElsewhere(FILE, 2);
    read(shard, FILE, 2);
  }

  @Test
  void shouldPreferTheRemoteStoreToWhatAnEarlierRunLeft() throws IOException {
    write(shard, FILE, 1);
    write(shard, "_1.tst", 3);
    write(shard, "segments_1", 4);
    shard.close();
    uploadElsewhere(FILE, 2);
    Files.createFile(local.resolve(FILE + "_block_0")); // OpenSearch's own composite store's.
    shard = openShard(null);
    read(shard, FILE, 2);
    read(shard, "_1.tst", 3);
    read(shard, "segments_1", 4);
    assertThat(local.resolve(FILE)).doesNotExist();
    assertThat(shard.listAll()).containsExactly(FILE, "_1.tst", "segments_1");

    uploadElsewhere("_1.tst", 5); // And the metadata is read again.
    read(shard, "_1.tst", 5);
    write(shard, "_1.tst", 6);
    read(shard, "_1.tst", 6);

    shard.close();
    uploadElsewhere("segments_2", 7);
    shard = openShard(null);
    assertThat(shard.listAll()).doesNotContain("segments_1").contains("segments_2");
  }

  @Test
  void shouldDeleteHereOnly_UntilTheMetadataIsReadAgain() throws IOException {
    uploadElsewhere(FILE, 1);
    read(shard, FILE, 1);
    shard.deleteFile(FILE);
    assertThat(shard.listAll()).isEmpty();
    assertThatThrownBy(() -> shard.openInput(FILE, IOContext.DEFAULT))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> shard.deleteFile(FILE)).isInstanceOf(NoSuchFileException.class);
    assertThat(remote.objects.listBlobs()).hasSize(1);
    new RemoteFolder(folder.resolve("remote"))
        .directory
        .getSegmentsUploadedToRemoteStore()
        .values()
        .forEach(
            file ->
                remote.tell(
                    file.getOriginalFilename(),
                    file.getUploadedFilename(),
                    Long.parseLong(file.getChecksum()),
                    file.getLength()));
    read(shard, FILE, 1);
    assertThat(shard.listAll()).containsExactly(FILE);
    remote.directory.init(); // It is gone from the store by now.
    shard.deleteFile(FILE);
  }

  @Test
  void shouldFailRatherThanServeAShortObject() throws IOException {
    uploadElsewhere(FILE, 1);
    String object = remote.directory.getExistingRemoteFilename(FILE);
    Path file;
    try (var found = Files.walk(folder.resolve("remote"))) {
      file = found.filter(path -> path.endsWith(object)).findAny().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    try (IndexInput input = shard.openInput(FILE, IOContext.DEFAULT)) {
      input.seek(bytes.length - 100);
      assertThatThrownBy(input::readByte).isInstanceOfAny(EOFException.class, IOException.class);
      assertThat(cache.remoteCounts().failures.sum()).isPositive();
      Files.write(file, bytes);
      read(input, 1);
    }
  }

  @Test
  void shouldKeepTheFileCacheFromDeletingWhatTheShardWrites() throws IOException {
    write(shard, "segments_1", 1);
    write(shard, FILE, 2);
    shard.close();
    FileCache fileCache = FileCacheFactory.createConcurrentLRUFileCache(1 << 20, 1);
    fileCache.restoreFromDirectory(List.of(shardFolder())); // As at the start of a node.
    assertThat(fileCache.size()).isEqualTo(2);
    shard = openShard(fileCache);
    fileCache.prune();
    read(shard, "segments_1", 1);
    shard.deleteFile(FILE);
    write(shard, FILE, 3);
    shard.deleteFile("segments_1");
    write(shard, "segments_1", 4);
    fileCache.prune();
    fileCache.clear();
    read(shard, FILE, 3);
    read(shard, "segments_1", 4);
  }

  /** Moves the local files to where the file cache looks for those of a shard. */
  private Path shardFolder() throws IOException {
    Path index = folder.resolve("shard").resolve("index");
    Files.createDirectories(index.getParent());
    Files.move(local, index);
    local = index;
    return index.getParent();
  }

  @Test
  void shouldSyncWhatLiesHere_AndNoMore() throws IOException {
    uploadElsewhere(FILE, 1);
    write(shard, "_1.tst", 2);
    shard.sync(Set.of(FILE, "_1.tst"));
    upload("_1.tst");
    shard.sync(Set.of(FILE, "_1.tst"));
  }

  @Test
  void shouldReadTheSameBytesWhileFilesAreUploadedAndDeleted() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    var pool = Executors.newFixedThreadPool(3);
    try {
      for (int round = 0; round < 20; round++) {
        String name = "_" + round + ".tst";
        int seed = round;
        write(shard, name, seed);
        done.set(false);
        Future<?>[] readers = new Future<?>[3];
        for (int i = 0; i < readers.length; i++) {
          readers[i] =
              pool.submit(
                  () -> {
                    try (IndexInput input = shard.openInput(name, IOContext.DEFAULT)) {
                      do {
                        read(input.clone(), seed);
                      } while (!done.get());
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
        }
        upload(name);
        done.set(true);
        for (Future<?> reader : readers) {
          reader.get();
        }
        shard.deleteFile(name);
        assertThat(shard.listAll()).isEmpty();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
