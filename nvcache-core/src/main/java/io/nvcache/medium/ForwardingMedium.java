// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Passes every call on to another medium, for media that change only some of them. A read at a
 * position goes through {@link #read(long, ByteBuffer, int)}, so that overriding this one is
 * enough.
 */
public abstract class ForwardingMedium implements Medium {
  private final Medium inner;

  /** Makes a medium over another one, which is closed with it. */
  protected ForwardingMedium(Medium inner) {
    this.inner = Objects.requireNonNull(inner, "inner");
  }

  /** Returns the medium that calls are passed on to. */
  protected final Medium inner() {
    return inner;
  }

  @Override
  public long capacityBytes() {
    return inner.capacityBytes();
  }

  @Override
  public int alignmentBytes() {
    return inner.alignmentBytes();
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    inner.read(offset, dst, length);
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    inner.write(offset, src, srcPosition, length);
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    inner.persist(offset, length);
  }

  @Override
  public long address(long offset, long length) {
    return inner.address(offset, length);
  }

  @Override
  public Durability durability() {
    return inner.durability();
  }

  @Override
  public WriteCost writeCost() {
    return inner.writeCost();
  }

  @Override
  public long bufferBytes() {
    return inner.bufferBytes();
  }

  @Override
  public void check() throws IOException {
    inner.check();
  }

  @Override
  public boolean readsWholeBlocks() {
    return inner.readsWholeBlocks();
  }

  @Override
  public Optional<Path> path() {
    return inner.path();
  }

  @Override
  public DriveSet drives() {
    return inner.drives();
  }

  @Override
  public int regionBytes() {
    return inner.regionBytes();
  }

  @Override
  public void prepareEncryption() throws IOException {
    inner.prepareEncryption();
  }

  @Override
  public void prepareDiscards() throws IOException {
    inner.prepareDiscards();
  }

  @Override
  public void discard(long offset, long length) throws IOException {
    inner.discard(offset, length);
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public void retire() {
    inner.retire();
  }

  @Override
  public void abandon() {
    inner.abandon();
  }

  @Override
  public void close() {
    inner.close();
  }
}
