// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.remote;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NoLockFactory;

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
    return new RemoteInput(name, context, store, fileLength(name));
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

  /** Asks the store for what Lucene's buffer lacks. */
  private static final class RemoteInput extends BufferedIndexInput {
    private final String name;
    private final ObjectStore store;
    private final long start;
    private final long end;
    private boolean closed;

    RemoteInput(String name, IOContext context, ObjectStore store, long length) {
      super("RemoteInput(" + name + ")", context);
      this.name = name;
      this.store = store;
      this.start = 0;
      this.end = length;
    }

    private RemoteInput(String description, RemoteInput whole, long start, long length) {
      super(description, whole.getBufferSize());
      this.name = whole.name;
      this.store = whole.store;
      this.start = start;
      this.end = start + length;
    }

    @Override
    public long length() {
      return end - start;
    }

    @Override
    protected void seekInternal(long position) throws IOException {
      if (position > length()) {
        throw new EOFException("read past EOF: pos=" + position + ": " + this);
      }
    }

    @Override
    protected void readInternal(ByteBuffer dst) throws IOException {
      if (closed) {
        throw new AlreadyClosedException("Already closed: " + this);
      }
      long position = start + getFilePointer();
      int length = dst.remaining();
      if (position + length > end) {
        throw new EOFException("read past EOF: " + this);
      }
      store.read(name, position, dst.array(), dst.arrayOffset() + dst.position(), length);
      dst.position(dst.position() + length);
    }

    @Override
    public IndexInput slice(String description, long offset, long length) {
      if ((length | offset) < 0 || length > length() - offset) {
        throw new IllegalArgumentException(
            "slice() " + description + " out of bounds: " + offset + ", " + length + ": " + this);
      }
      return new RemoteInput(getFullSliceDescription(description), this, start + offset, length);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
