// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.lucene.LuceneCache;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NIOFSDirectory;
import org.opensearch.common.lucene.store.FilterIndexOutput;

/**
 * The directory of a shard that uploads each file as soon as it is written, so that all of it is
 * read from the remote store. A file without a footer, such as OpenSearch never uploads, gets into
 * the store by the test itself.
 */
public class UploadingDirectory extends FilterDirectory {
  private final ReadWriteLock moving = new ReentrantReadWriteLock();
  private final RemoteFolder remote;
  private final CachedWarmDirectory warm;

  private UploadingDirectory(RemoteFolder remote, CachedWarmDirectory warm) {
    super(warm);
    this.remote = remote;
    this.warm = warm;
  }

  UploadingDirectory(Path folder, LockFactory locks, NodeCache cache) throws IOException {
    this(folder, locks, cache, new RemoteFolder(folder.resolve("remote")));
  }

  private UploadingDirectory(Path folder, LockFactory locks, NodeCache cache, RemoteFolder remote)
      throws IOException {
    this(
        remote,
        (CachedWarmDirectory)
            cache.directory(
                new NIOFSDirectory(folder.resolve("local"), locks), remote.directory, null));
  }

  static NodeCache cache(int blockBytes, long capacityBytes) {
    BlockCache blocks =
        BlockCache.builder()
            .nativeMemory(capacityBytes)
            .maxBlockBytes(Math.max(4096, blockBytes))
            .expectedBlockBytes(blockBytes)
            .policies(PolicyPreset.ADMIT_ALL)
            .build();
    return new NodeCache(
        LuceneCache.builder(blocks).blockBytes(blockBytes).build(), NodeSettings.NATIVE);
  }

  /** With room for every block; for {@code tests.directory}. */
  public static final class Empty extends UploadingDirectory {
    private static final NodeCache CACHE = cache(16 << 10, 32 << 20);

    public Empty(Path folder, LockFactory locks) throws IOException {
      super(folder, locks, CACHE);
    }
  }

  /** With short blocks, for few of which there is room. */
  public static final class Full extends UploadingDirectory {
    private static final NodeCache CACHE = cache(1 << 10, 256 << 10);

    public Full(Path folder, LockFactory locks) throws IOException {
      super(folder, locks, CACHE);
    }
  }

  private static boolean isUploaded(String name) {
    return !name.startsWith(IndexFileNames.SEGMENTS)
        && !name.startsWith(IndexFileNames.PENDING_SEGMENTS)
        && !name.endsWith(".tmp");
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (Arrays.asList(listAll()).contains(name)) { // OpenSearch's primaries may, Lucene may not.
      throw new FileAlreadyExistsException(name);
    }
    IndexOutput output = super.createOutput(name, context);
    return !isUploaded(name)
        ? output
        : new FilterIndexOutput(output.toString(), output) {
          private boolean closed;

          @Override
          public void close() throws IOException {
            super.close();
            if (!closed) {
              closed = true;
              upload(name);
            }
          }

          @Override
          public String getName() {
            return name;
          }
        };
  }

  private void upload(String name) throws IOException {
    if (hasFooter(name)) {
      remote.directory.copyFrom(warm, name, name, IOContext.READONCE);
      warm.afterSyncToRemote(name);
    } else {
      byte[] bytes = bytes(name);
      moving.writeLock().lock(); // Meanwhile it is neither here nor there.
      try {
        warm.deleteFile(name);
        remote.put(name, bytes);
      } finally {
        moving.writeLock().unlock();
      }
    }
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    moving.readLock().lock();
    try {
      return super.openInput(name, context);
    } finally {
      moving.readLock().unlock();
    }
  }

  @Override
  public String[] listAll() throws IOException {
    moving.readLock().lock();
    try {
      return super.listAll();
    } finally {
      moving.readLock().unlock();
    }
  }

  private boolean hasFooter(String name) throws IOException {
    try (IndexInput input = warm.openInput(name, IOContext.READONCE)) {
      CodecUtil.retrieveChecksum(input);
      return true;
    } catch (CorruptIndexException e) {
      return false;
    }
  }

  private byte[] bytes(String name) throws IOException {
    try (IndexInput input = warm.openInput(name, IOContext.READONCE)) {
      byte[] bytes = new byte[(int) input.length()];
      input.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (isUploaded(source)) {
      byte[] bytes = bytes(source);
      try (IndexOutput output = createOutput(dest, IOContext.DEFAULT)) {
        output.writeBytes(bytes, bytes.length);
      }
      deleteFile(source);
    } else {
      super.rename(source, dest);
    }
  }
}
