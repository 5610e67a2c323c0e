// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A file that is read and written, not mapped: it needs no JVM flags, and a block is copied once
 * more. Asynchronous, because an interrupt closes the other kind of channel for everybody.
 */
final class AsyncFileMedium implements Medium {
  private final AsynchronousFileChannel channel;
  private final Path path;
  private final long capacityBytes;

  AsyncFileMedium(Path path, long capacityBytes) throws IOException {
    this.channel =
        AsynchronousFileChannel.open(
            path,
            StandardOpenOption.CREATE_NEW, // Never somebody else's file.
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    this.path = path;
    this.capacityBytes = capacityBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    ByteBuffer part = dst.slice(dst.position(), length); // The caller's position stays.
    while (part.hasRemaining()) {
      if (await(channel.read(part, offset + part.position())) < 0) {
        throw new IOException(path + " was cut short before byte " + (offset + length));
      }
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    ByteBuffer part = src.duplicate().clear().slice(srcPosition, length);
    while (part.hasRemaining()) {
      await(channel.write(part, offset + part.position()));
    }
  }

  /** Waits to the end in spite of interrupts: until then the buffer is not its owner's again. */
  private static int await(Future<Integer> transfer) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return transfer.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    channel.force(false);
  }

  @Override
  public long address(long offset, long length) {
    return 0; // It is not memory; pins are copies.
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return 4096; // A page of the page cache.
  }

  @Override
  public Durability durability() {
    return Durability.PROCESS_CRASH; // So blocks have checksums unless that is turned off.
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }

  @Override
  public String describe() {
    return "file " + path + ", " + capacityBytes + " bytes";
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
