// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;

/**
 * Files of parts of remote files, of {@value #PART_BYTES} bytes each, as OpenSearch's warm
 * directory keeps them: a part that is missing is fetched whole, by one of those who need it, and
 * mapped; the part that was not used for the longest goes when there is no room. Thread-safe.
 */
final class DefaultWarmParts implements AutoCloseable {
  static final int PART_BYTES = 8 << 20;

  private final long capacityBytes;
  private final Path folder;
  private final Directory local;
  private final ConcurrentMap<Name, Part> parts = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** By use, the latest last. Under its own monitor. */
  private final Map<Name, Part> byUse = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  private record Name(String file, int number) {}

  private static final class Part {
    final String localName;
    final IndexInput input;

    Part(String localName, IndexInput input) {
      this.localName = localName;
      this.input = input;
    }
  }

  DefaultWarmParts(long capacityBytes) {
    this.capacityBytes = capacityBytes;
    try {
      this.folder = Files.createTempDirectory("nvcache-bench-parts");
      this.local = new MMapDirectory(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Copies bytes of a file that lie in one part.
   *
   * @param remote the calling thread's own
   */
  void copy(String file, IndexInput remote, long position, ByteBuffer dst, int count)
      throws IOException {
    Name name = new Name(file, (int) (position / PART_BYTES));
    Part part = parts.get(name);
    (part == null ? misses : hits).increment();
    if (part == null) {
      try {
        part = parts.computeIfAbsent(name, missing -> fetch(missing, remote));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    use(name, part);
    // A clone of a part that goes away still reads it: the map keeps the bytes.
    IndexInput mine = part.input.clone();
    mine.seek(position % PART_BYTES);
    mine.readBytes(dst.array(), dst.arrayOffset() + dst.position(), count);
    dst.position(dst.position() + count);
  }

  private Part fetch(Name name, IndexInput remote) {
    try {
      long from = (long) name.number * PART_BYTES;
      byte[] all = new byte[(int) Math.min(PART_BYTES, remote.length() - from)];
      remote.seek(from);
      remote.readBytes(all, 0, all.length, false);
      String localName;
      try (IndexOutput out = local.createTempOutput("part", "warm", IOContext.DEFAULT)) {
        out.writeBytes(all, all.length);
        localName = out.getName();
      }
      return new Part(localName, local.openInput(localName, IOContext.DEFAULT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void use(Name name, Part part) throws IOException {
    synchronized (byUse) {
      if (parts.get(name) != part) {
        return; // Another thread has evicted it, and its file is gone.
      }
      if (byUse.put(name, part) != part) {
        bytes += part.input.length();
      }
      Iterator<Map.Entry<Name, Part>> eldest = byUse.entrySet().iterator();
      while (bytes > capacityBytes && byUse.size() > 1) {
        Map.Entry<Name, Part> old = eldest.next();
        eldest.remove();
        bytes -= old.getValue().input.length();
        parts.remove(old.getKey());
        local.deleteFile(old.getValue().localName); // The map stays until no clone reads it.
      }
    }
  }

  long hits() {
    return hits.sum();
  }

  long lookups() {
    return hits.sum() + misses.sum();
  }

  @Override
  public void close() {
    try {
      for (Part part : parts.values()) {
        part.input.close();
        local.deleteFile(part.localName);
      }
      local.close();
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
