// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.remote;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A folder of files that answers as late as an object store would: for tests and measurements. */
public final class FolderStore implements ObjectStore {
  private final Path folder;
  private final long latencyNanos;
  private final LongAdder requests = new LongAdder();

  /**
   * Serves the files that lie in a folder.
   *
   * @param latency what each read takes at least
   */
  public FolderStore(Path folder, Duration latency) {
    this.folder = folder;
    this.latencyNanos = latency.toNanos();
  }

  @Override
  public Map<String, Long> list() throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      for (Path file : files) {
        lengths.put(file.getFileName().toString(), Files.size(file));
      }
    }
    return lengths;
  }

  @Override
  public void read(String name, long offset, byte[] dst, int from, int lengthBytes)
      throws IOException {
    requests.increment();
    long due = System.nanoTime() + latencyNanos;
    try (FileChannel file = FileChannel.open(folder.resolve(name))) {
      ByteBuffer room = ByteBuffer.wrap(dst, from, lengthBytes);
      while (room.hasRemaining()) {
        if (file.read(room, offset + lengthBytes - room.remaining()) < 0) {
          throw new EOFException(name + " ends before byte " + (offset + lengthBytes));
        }
      }
    }
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        return; // Early, rather than late by a busy wait.
      }
    }
  }

  /** Returns how many reads were asked for. */
  public long requests() {
    return requests.sum();
  }
}
