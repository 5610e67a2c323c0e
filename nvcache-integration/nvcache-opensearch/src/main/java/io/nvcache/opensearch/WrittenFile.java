// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.FileIdentity;
import io.nvcache.lucene.DescribedInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * A file that this shard wrote: read where it lies until it is uploaded, and from its object from
 * then on, by inputs that were opened before as well. So the space of what is uploaded comes back
 * at once, and not when the last reader closes. Thread-safe.
 */
final class WrittenFile {
  private final Directory local;

  /** Held for reading while the local file is read, so that no one closes it. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private final Set<IndexInput> openHere = ConcurrentHashMap.newKeySet();
  private @Nullable RemoteFile uploaded;

  WrittenFile(Directory local) {
    this.local = local;
  }

  /** Opens the file; null if it is uploaded. */
  @Nullable WarmInput open(String name, IOContext context) throws IOException {
    lock.readLock().lock();
    try {
      if (uploaded != null) {
        return null;
      }
      IndexInput here = local.openInput(name, context);
      openHere.add(here);
      return new WarmInput(new Opened(here, DescribedInput.readFooter(here)));
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Returns whether an object has the bytes of the local file, by length and checksum. */
  boolean isAs(RemoteFile object, String name) throws IOException {
    try (IndexInput here = local.openInput(name, IOContext.READONCE)) {
      return here.length() == object.lengthBytes()
          && Arrays.equals(DescribedInput.readFooter(here), object.footer());
    }
  }

  /** Has all inputs read the object from now on; the local file is not read any more. */
  void switchTo(RemoteFile object) throws IOException {
    lock.writeLock().lock();
    try {
      uploaded = object;
      for (IndexInput here : openHere) {
        here.close();
      }
      openHere.clear();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** One opening of it. */
  private final class Opened implements WarmInput.DescribedBytes {
    private final IndexInput here;
    private final byte[] footer;

    Opened(IndexInput here, byte[] footer) {
      this.here = here;
      this.footer = footer;
    }

    @Override
    public long lengthBytes() {
      return here.length();
    }

    @Override
    public byte[] footer() {
      return footer;
    }

    /** Its object will have a name; before that, it has none. */
    @Override
    public @Nullable FileIdentity identity() {
      return null;
    }

    @Override
    public @Nullable IndexInput read(
        @Nullable IndexInput own, long position, byte[] dst, int from, int length)
        throws IOException {
      RemoteFile object;
      lock.readLock().lock();
      try {
        object = uploaded;
        if (object == null) {
          IndexInput mine = own == null ? here.clone() : own;
          mine.seek(position);
          mine.readBytes(dst, from, length, false);
          return mine;
        }
      } finally {
        lock.readLock().unlock();
      }
      return object.read(null, position, dst, from, length);
    }

    @Override
    public void close() throws IOException {
      if (openHere.remove(here)) {
        here.close();
      }
    }

    @Override
    public String toString() {
      return here.toString();
    }
  }
}
