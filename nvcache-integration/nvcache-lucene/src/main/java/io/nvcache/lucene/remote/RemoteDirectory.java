// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.remote;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NoLockFactory;
import org.jspecify.annotations.Nullable;

/**
 * A finished index in an {@link ObjectStore}, for reading alone. What Lucene reads at once is one
 * request, so it belongs behind a {@link io.nvcache.lucene.NvCacheDirectory}, which asks by blocks.
 *
 * <p>The store is listed once, when the directory is opened. Thread-safe.
 */
public final class RemoteDirectory extends BaseDirectory {
  private final ObjectStore store;
  private final Map<String, Long> lengths;

  /** Opens the index that is in the store now. */
  public RemoteDirectory(ObjectStore store) throws IOException {
    super(NoLockFactory.INSTANCE);
    this.store = store;
    this.lengths = Map.copyOf(store.list());
  }

  @Override
  public String[] listAll() {
    ensureOpen();
    return lengths.keySet().stream().sorted().toArray(String[]::new);
  }

  @Override
  public long fileLength(String name) throws IOException {
    ensureOpen();
    Long length = lengths.get(name);
    if (length == null) {
      throw new NoSuchFileException(name);
    }
    return length;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new RangeInput(
        "RemoteInput(" + name + ")",
        new StoredBytes(store, name, fileLength(name)),
        BufferedIndexInput.bufferSize(context));
  }

  @Override
  public void close() {
    isOpen = false;
  }

  @Override
  public Set<String> getPendingDeletions() {
    return Set.of();
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("a remote directory can only be read");
  }

  @Override
  public void deleteFile(String name) {
    throw readOnly();
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) {
    throw readOnly();
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
    throw readOnly();
  }

  @Override
  public void sync(Collection<String> names) {
    throw readOnly();
  }

  @Override
  public void syncMetaData() {
    throw readOnly();
  }

  @Override
  public void rename(String source, String dest) {
    throw readOnly();
  }

  private record StoredBytes(ObjectStore store, String name, long lengthBytes)
      implements RangeInput.Bytes {
    @Override
    public @Nullable IndexInput read(
        @Nullable IndexInput own, long position, byte[] dst, int from, int length)
        throws IOException {
      store.read(name, position, dst, from, length);
      return null;
    }
  }
}
