// SPDX-License-Identifier: Apache-2.0
package io.nvcache.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.nvcache.lucene.FileClassCounts;
import io.nvcache.lucene.SharedCache;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.core.DirectoryFactory;
import org.apache.solr.core.DirectoryFactory.DirContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The factory as Solr's cores use it: directories that it counts the users of, and deletes. */
final class NvCacheDirectoryFactoryTest {
  private static final int DOCUMENTS = 2_000;

  @TempDir private Path folder;

  @Test
  void shouldGiveDirectoriesThatReadThroughTheCache() throws Exception {
    String path = folder.resolve("index").toString();
    try (DirectoryFactory factory = new NvCacheDirectoryFactory()) {
      factory.init(new NamedList<>());
      Directory directory = factory.get(path, DirContext.DEFAULT, DirectoryFactory.LOCK_TYPE_NATIVE);
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
          writer.addDocument(document);
          if (i % 500 == 499) {
            writer.commit();
          }
        }
        assertEquals(DOCUMENTS, ids(directory));
        writer.forceMerge(1);
      }
      assertEquals(DOCUMENTS, ids(directory));
      assertTrue(hits() > 0);
      factory.release(directory);

      assertTrue(factory.exists(path));
      factory.remove(path);
    }
    assertEquals(0, SharedCache.get().blocks().stats().pinnedBytes());
    SharedCache.get().close();
  }

  private static int ids(Directory directory) throws Exception {
    Set<String> ids = new HashSet<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      StoredFields stored = reader.storedFields();
      for (int i = 0; i < reader.maxDoc(); i++) {
        ids.add(stored.document(i).get("id"));
      }
    }
    return ids.size();
  }

  private static long hits() {
    return SharedCache.get().countsByExtension().values().stream()
        .mapToLong(FileClassCounts::hits)
        .sum();
  }
}
