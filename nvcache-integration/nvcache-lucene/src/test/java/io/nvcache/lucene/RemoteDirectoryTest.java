// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.lucene.remote.FolderStore;
import io.nvcache.lucene.remote.RemoteDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An index in a store where each read is a request, by itself and behind the cache. */
@Timeout(120)
final class RemoteDirectoryTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 20;
  private static final int DOCUMENTS = 1_000;
  private static final int TERMS = 20;
  private static final Duration LATENCY = Duration.ofMillis(2);

  @TempDir private Path folder;
  private FolderStore store;
  private LuceneCache cache;

  @BeforeEach
  void open() {
    store = new FolderStore(folder, LATENCY);
    cache = TestCaches.empty(BLOCK_BYTES);
  }

  @AfterEach
  void close() {
    TestCaches.close(cache);
  }

  private byte[] writeBlocks() throws IOException {
    byte[] bytes = new byte[BLOCKS * BLOCK_BYTES];
    new Random(1).nextBytes(bytes);
    Files.write(folder.resolve("_0.dat"), bytes);
    return bytes;
  }

  private void writeIndex() throws IOException {
    try (Directory files = new NIOFSDirectory(folder);
        IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new TextField("text", "all t" + i % TERMS + " n" + i, Field.Store.YES));
        writer.addDocument(document);
      }
    }
  }

  private static void searchAll(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < TERMS; i++) {
        TopDocs found = searcher.search(new TermQuery(new Term("text", "t" + i)), DOCUMENTS);
        assertThat(found.scoreDocs).hasSize(DOCUMENTS / TERMS);
        for (ScoreDoc hit : found.scoreDocs) {
          assertThat(searcher.storedFields().document(hit.doc).get("text"))
              .isEqualTo("all t" + hit.doc % TERMS + " n" + hit.doc);
        }
      }
    }
  }

  @Test
  void shouldSearchAnIndexOfAStore_WithAFewRequestsBehindTheCache() throws IOException {
    writeIndex();
    try (Directory remote = new RemoteDirectory(store)) {
      searchAll(remote);
    }
    long without = store.requests();
    try (Directory cached = new NvCacheDirectory(new RemoteDirectory(store), cache)) {
      searchAll(cached);
      long cold = store.requests() - without;
      searchAll(cached);
      long warm = store.requests() - without - cold;

      assertThat(cold).as("requests of a cold cache, %s without one", without).isLessThan(without);
      assertThat(warm).as("requests of a warm cache, %s of a cold one", cold).isLessThan(cold);
      try (CheckIndex check = new CheckIndex(cached)) {
        assertThat(check.checkIndex().clean).isTrue();
      }
    }
  }

  @Test
  void shouldAskForAdjacentBlocksAtOnce() throws IOException {
    byte[] bytes = writeBlocks();
    try (Directory cached = new NvCacheDirectory(new RemoteDirectory(store), cache);
        IndexInput input = cached.openInput("_0.dat", IOContext.DEFAULT)) {
      long opened = store.requests();
      byte[] read = new byte[7 * BLOCK_BYTES];
      input.seek(100);
      input.readBytes(read, 0, read.length);

      assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, 100, 100 + read.length));
      assertThat(store.requests() - opened).isEqualTo(1);
    }
  }

  @Test
  void shouldLetReadersWaitForAPrefetch() throws IOException {
    byte[] bytes = writeBlocks();
    try (Directory cached = new NvCacheDirectory(new RemoteDirectory(store), cache);
        IndexInput input = cached.openInput("_0.dat", IOContext.DEFAULT)) {
      long opened = store.requests();
      input.prefetch(2 * BLOCK_BYTES, 3 * BLOCK_BYTES);
      for (int block = 2; block < 5; block++) {
        input.seek((long) block * BLOCK_BYTES + 5);
        assertThat(input.readByte()).isEqualTo(bytes[block * BLOCK_BYTES + 5]);
      }

      assertThat(store.requests() - opened).isEqualTo(1);
      assertThat(cache.delegateCounts().prefetchedBlocks()).isEqualTo(3);
    }
  }

  @Test
  void shouldOnlyRead() throws IOException {
    byte[] bytes = writeBlocks();
    Directory remote = new RemoteDirectory(store);
    assertThat(remote.listAll()).containsExactly("_0.dat");
    assertThat(remote.fileLength("_0.dat")).isEqualTo(bytes.length);
    assertThatThrownBy(() -> remote.openInput("_1.dat", IOContext.DEFAULT))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> remote.deleteFile("_0.dat"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> remote.createOutput("_1.dat", IOContext.DEFAULT))
        .isInstanceOf(UnsupportedOperationException.class);
    IndexInput input = remote.openInput("_0.dat", IOContext.DEFAULT);
    IndexInput slice = input.slice("part", 10, 20).slice("part of it", 5, 10);
    byte[] read = new byte[10];
    slice.readBytes(read, 0, 10);
    assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, 15, 25));
    assertThatThrownBy(slice::readByte).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> input.slice("part", 0, bytes.length + 1))
        .isInstanceOf(IllegalArgumentException.class);
    input.close();
    assertThatThrownBy(() -> input.readByte()).isInstanceOf(AlreadyClosedException.class);
    remote.close();
    assertThatThrownBy(remote::listAll).isInstanceOf(AlreadyClosedException.class);
  }

  @Test
  void shouldPassOnThatAnObjectHasGone() throws IOException {
    writeBlocks();
    try (Directory cached = new NvCacheDirectory(new RemoteDirectory(store), cache);
        IndexInput input = cached.openInput("_0.dat", IOContext.DEFAULT)) {
      Files.delete(folder.resolve("_0.dat"));

      assertThatThrownBy(() -> input.readByte()).isInstanceOf(NoSuchFileException.class);
    }
  }
}
