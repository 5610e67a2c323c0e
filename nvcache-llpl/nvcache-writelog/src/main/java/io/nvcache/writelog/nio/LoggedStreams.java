// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of the roots' files, by their descriptors. One that is collected without having been
 * closed ends when the next one is entered.
 *
 * <p>Thread-safe. A look-up makes no garbage where the compiler sees through it: every stream of
 * the program pays for one at each write.
 */
final class LoggedStreams {
  private final Map<Object, LoggedStream> streams = new ConcurrentHashMap<>();
  private final ReferenceQueue<FileDescriptor> collected = new ReferenceQueue<>();

  /** A key that lets its descriptor go. */
  private static final class Key extends WeakReference<FileDescriptor> {
    private final int hash;

    Key(FileDescriptor descriptor, ReferenceQueue<FileDescriptor> queue) {
      super(descriptor, queue);
      this.hash = System.identityHashCode(descriptor);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    /** Two keys of one descriptor are never entered. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other || (other instanceof Probe probe && refersTo(probe.descriptor));
    }
  }

  /** Looks a key up. */
  private record Probe(FileDescriptor descriptor) {
    @Override
    public int hashCode() {
      return System.identityHashCode(descriptor);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.refersTo(descriptor);
    }
  }

  void enter(FileDescriptor descriptor, LoggedStream stream) throws IOException {
    for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
      LoggedStream lost = streams.remove(key);
      if (lost != null) {
        lost.end();
      }
    }
    streams.put(new Key(descriptor, collected), stream);
  }

  /** Returns a stream that may write. */
  @Nullable LoggedStream findWriter(FileDescriptor descriptor) {
    LoggedStream found = streams.isEmpty() ? null : streams.get(new Probe(descriptor));
    return found != null && found.writes() ? found : null;
  }

  @Nullable LoggedStream remove(FileDescriptor descriptor) {
    return streams.isEmpty() ? null : streams.remove(new Probe(descriptor));
  }
}
