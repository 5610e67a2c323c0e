// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A directory, which a program opens to force the names in it: it promises then that what was made,
 * renamed or deleted there is so after any crash, whoever did it. All else is the platform's to
 * refuse.
 */
final class DirectoryChannel extends FileChannel {
  private final LogEngine engine;
  private final FileChannel platform;

  private DirectoryChannel(LogEngine engine, FileChannel platform) {
    this.engine = engine;
    this.platform = platform;
  }

  /** Takes the platform's channel over. */
  static FileChannel of(LogEngine engine, FileChannel platform) {
    return new DirectoryChannel(engine, platform);
  }

  @Override
  public void force(boolean metaData) throws IOException {
    if (platform.isOpen()) {
      engine.beforeDirectoryForce();
    }
    platform.force(metaData);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return platform.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return platform.read(targets, offset, length);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return platform.read(target, position);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return platform.write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return platform.write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return platform.write(source, position);
  }

  @Override
  public long position() throws IOException {
    return platform.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    platform.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return platform.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    platform.truncate(size);
    return this;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return platform.transferTo(position, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return platform.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return platform.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return platform.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return platform.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    platform.close();
  }
}
