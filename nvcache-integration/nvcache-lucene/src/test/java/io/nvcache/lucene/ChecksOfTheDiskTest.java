// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index that is cached, and of which a byte flips on the disk. */
final class ChecksOfTheDiskTest {
  private static final int DOCUMENTS = 400;

  @TempDir private Path folder;
  private LuceneCache cache;
  private NvCacheDirectory directory;

  @BeforeEach
  void open() throws IOException {
    cache = TestCaches.empty(4096);
    directory = new NvCacheDirectory(new NIOFSDirectory(folder), cache);
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private void index(boolean compound) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig().setUseCompoundFile(compound))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new TextField("text", "all t" + i % 50, Field.Store.YES));
        document.add(new NumericDocValuesField("number", i));
        document.add(new StoredField("bytes", new byte[200]));
        writer.addDocument(document);
      }
    }
  }

  private void readAll(DirectoryReader reader) throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      assertThat(reader.storedFields().document(i).get("text")).isEqualTo("all t" + i % 50);
    }
  }

  private void flip(String extension) throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(folder)) {
      file = files.filter(path -> path.toString().endsWith(extension)).findFirst().orElseThrow();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long at = bytes.length() / 2;
      bytes.seek(at);
      int before = bytes.read();
      bytes.seek(at);
      bytes.write(before ^ 1);
    }
  }

  private boolean isClean() throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      return check.checkIndex().clean;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldSeeAFlippedByteOfAFileThatIsCached(boolean compound) throws IOException {
    index(compound);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      readAll(reader);
      assertThat(isClean()).isTrue();
      flip(compound ? ".cfs" : ".fdt");

      assertThat(isClean()).isFalse();
      assertThatThrownBy(
              () -> {
                for (LeafReaderContext leaf : reader.leaves()) {
                  ((org.apache.lucene.index.CodecReader) leaf.reader()).checkIntegrity();
                }
              })
          .isInstanceOf(CorruptIndexException.class);
      readAll(reader); // By blocks that were read before.
    }
  }

  /** As OpenSearch's {@code index.shard.check_on_startup: checksum} does. */
  @Test
  void shouldSeeItWhereAFileIsOpenedToBeReadOnce() throws IOException {
    index(false);
    String stored =
        Stream.of(directory.listAll()).filter(name -> name.endsWith(".fdt")).findFirst().get();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      readAll(reader);
    }
    flip(".fdt");
    try (IndexInput input = directory.openInput(stored, IOContext.READONCE)) {
      assertThatThrownBy(() -> CodecUtil.checksumEntireFile(input))
          .isInstanceOf(CorruptIndexException.class);
    }
    try (ChecksumIndexInput input = directory.openChecksumInput(stored)) {
      input.seek(input.length() - CodecUtil.footerLength());
      assertThatThrownBy(() -> CodecUtil.checkFooter(input))
          .isInstanceOf(CorruptIndexException.class);
    }
  }

  /** A clone that has made a checksum, and is sent elsewhere, reads cached blocks again. */
  @Test
  void shouldReadTheCacheAgainAfterTheCheck() throws IOException {
    index(false);
    String stored =
        Stream.of(directory.listAll()).filter(name -> name.endsWith(".fdt")).findFirst().get();
    try (IndexInput input = directory.openInput(stored, IOContext.DEFAULT)) {
      IndexInput clone = input.clone();
      clone.seek(100);
      byte before = clone.readByte();
      long bypassed = cache.countsByExtension().get("fdt").bypassedOpens();
      clone.seek(0);
      clone.readByte();
      assertThat(cache.countsByExtension().get("fdt").bypassedOpens()).isEqualTo(bypassed + 1);
      long hits = cache.countsByExtension().get("fdt").hits();
      clone.seek(100);
      assertThat(clone.readByte()).isEqualTo(before);
      assertThat(cache.countsByExtension().get("fdt").hits()).isGreaterThanOrEqualTo(hits);
      long requests = cache.delegateCounts().requests();
      clone.seek(101);
      clone.readByte();
      assertThat(cache.delegateCounts().requests()).isEqualTo(requests);
    }
  }
}
