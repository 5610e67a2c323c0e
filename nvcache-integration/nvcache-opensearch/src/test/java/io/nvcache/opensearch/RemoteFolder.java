// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IndexInput;
import org.opensearch.common.blobstore.BlobContainer;
import org.opensearch.common.blobstore.BlobPath;
import org.opensearch.common.blobstore.fs.FsBlobStore;
import org.opensearch.common.lucene.store.ByteArrayIndexInput;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.store.RemoteDirectory;
import org.opensearch.index.store.RemoteSegmentStoreDirectory;
import org.opensearch.index.store.RemoteSegmentStoreDirectory.UploadedSegmentMetadata;

/** OpenSearch's remote segment store of a shard, over a folder. */
final class RemoteFolder {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final String SEPARATOR = RemoteSegmentStoreDirectory.SEGMENT_NAME_UUID_SEPARATOR;

  final RemoteSegmentStoreDirectory directory;
  final BlobContainer objects;

  /** Opens a folder; objects that lie there are files of the shard. */
  RemoteFolder(Path folder) throws IOException {
    this(folder, new FsBlobStore(BUFFER_BYTES, folder, false));
  }

  RemoteFolder(Path folder, FsBlobStore store) throws IOException {
    objects = store.blobContainer(BlobPath.cleanPath().add("data"));
    directory =
        new RemoteSegmentStoreDirectory(
            new RemoteDirectory(objects),
            new RemoteDirectory(store.blobContainer(BlobPath.cleanPath().add("metadata"))) {
              @Override
              public List<String> listFilesByPrefixInLexicographicOrder(String prefix, int limit) {
                return List.of(); // A folder of blobs would warn of it each time.
              }
            },
            null,
            null,
            new ShardId("index", "uuid", 0));
    for (String object : objects.listBlobs().keySet()) {
      if (object.contains(SEPARATOR)) { // Lucene's tests add their own files to any folder.
        add(object, objects.readBlob(object).readAllBytes());
      }
    }
  }

  /** Adds an object that the shard knows. */
  void put(String name, byte[] bytes) throws IOException {
    String object = name + SEPARATOR + UUID.randomUUID();
    objects.writeBlob(object, new ByteArrayInputStream(bytes), bytes.length, true);
    add(object, bytes);
  }

  private void add(String object, byte[] bytes) throws IOException {
    String name = object.substring(0, object.indexOf(SEPARATOR));
    tell(name, object, checksum(bytes), bytes.length);
  }

  /** Has the shard know an object, as an upload or the reading of its metadata does. */
  void tell(String name, String object, long checksum, long length) {
    String words = String.join("::", name, object, Long.toString(checksum), Long.toString(length));
    try {
      Method add =
          RemoteSegmentStoreDirectory.class.getDeclaredMethod(
              "addUploadedSegment", String.class, UploadedSegmentMetadata.class);
      add.setAccessible(true);
      add.invoke(directory, name, UploadedSegmentMetadata.fromString(words + "::10"));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static long checksum(byte[] bytes) throws IOException {
    try {
      IndexInput input = new ByteArrayIndexInput("object", bytes);
      return CodecUtil.retrieveChecksum(input);
    } catch (IOException noFooter) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      return crc.getValue();
    }
  }
}
