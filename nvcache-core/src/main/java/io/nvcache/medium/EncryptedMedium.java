// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.AesGcm;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.Claims;
import io.nvcache.memory.HeapBuffers;
import io.nvcache.memory.LendingPool;
import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts block bytes on their way to another medium with AES-256 in Galois/counter mode (NIST SP
 * 800-38D), under a key that is made when the medium is opened, is never written anywhere, and ends
 * with the process: what stays on a disk afterwards is of no use to anybody.
 *
 * <p>What is read is authentic or an {@link IOException}: a block that was changed, cut, or moved
 * from another place on the medium does not pass. So nothing is left for a checksum to find.
 *
 * <p>Nonces are counted, so that none comes twice under one key, and lie in DRAM with the tags: 24
 * bytes for each {@value #GRANULE_BYTES} of the medium, whose blocks take whole multiples of that;
 * the bytes on the medium take no more room than the blocks. Blocks are read whole. Reading and
 * writing allocate, and cost a pass over the bytes each (docs/inside/reliability.md has figures).
 */
public final class EncryptedMedium implements Medium {
  static final int GRANULE_BYTES = 4096;

  private static final int TAG_BYTES = 16;
  private static final int ENTRY_BYTES = Long.BYTES + TAG_BYTES;

  private final Medium inner;
  private final int granuleBytes;
  private final OffHeapBytes entries;
  private final SecretKey key;
  private final AtomicLong nonces = new AtomicLong();
  private boolean closed;

  private final LendingPool<Workspace> workspaces = new LendingPool<>(Workspace::new);

  /** Buffers for blocks and their tags. */
  private final HeapBuffers rooms = new HeapBuffers();

  /** What a call needs, except for the room. */
  private static final class Workspace {
    final Cipher cipher = AesGcm.newCipher();
    final byte[] nonce = new byte[AesGcm.NONCE_BYTES];
  }

  private EncryptedMedium(Medium inner, SecretKey key) {
    this.inner = inner;
    this.key = key;
    workspaces.giveBack(new Workspace()); // The first one is expensive, and not every JVM has any.
    this.granuleBytes = Math.max(GRANULE_BYTES, inner.alignmentBytes());
    long granules = (inner.capacityBytes() + granuleBytes - 1) / granuleBytes;
    this.entries = OffHeapBytes.zeroed(granules * ENTRY_BYTES, Long.BYTES);
  }

  /**
   * Encrypts a medium's blocks under its own key. Takes the medium over, and closes it at once if
   * memory for the nonces is lacking, or blocks of an earlier cache can't be overwritten.
   *
   * @throws UncheckedIOException if an earlier cache has left blocks in the clear on a device
   * @throws IllegalStateException if a cache, or another encrypted medium, has the medium
   */
  public static EncryptedMedium over(Medium inner) {
    return over(inner, AesGcm.newKey());
  }

  /** The same under a given key, whose bytes are cleared: one copy of them is enough. */
  static EncryptedMedium over(Medium inner, byte[] key) {
    Claims.take(inner, "medium");
    try {
      if (inner.drives().count() > 1) {
        throw new IllegalArgumentException(
            "can't encrypt blocks in place on "
                + inner.describe()
                + ", which has several drives; encrypt under a key source, or name one path");
      }
      inner.prepareEncryption();
      return new EncryptedMedium(inner, new SecretKeySpec(key, "AES"));
    } catch (IOException e) {
      UncheckedIOException failure = new UncheckedIOException(e.getMessage(), e);
      inner.abandon();
      Claims.closeAfter(failure, inner);
      throw failure;
    } catch (RuntimeException | Error e) {
      inner.abandon();
      Claims.closeAfter(e, inner);
      throw e;
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  @Override
  public long capacityBytes() {
    return inner.capacityBytes();
  }

  @Override
  public int alignmentBytes() {
    return granuleBytes;
  }

  @Override
  public boolean readsWholeBlocks() {
    return true;
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if (RawMemory.mayVanish(src)) {
      write(offset, VanishingMemory.copyOf(src, srcPosition, length), 0, length);
      return;
    }
    ByteBuffer sealed = rooms.take(length + TAG_BYTES);
    try {
      writeSealed(offset, src, srcPosition, length, sealed);
    } finally {
      rooms.giveBack(sealed);
    }
  }

  private void writeSealed(
      long offset, ByteBuffer src, int srcPosition, int length, ByteBuffer sealed)
      throws IOException {
    long nonce = nonces.incrementAndGet();
    Workspace work = workspaces.take();
    try {
      begin(work, Cipher.ENCRYPT_MODE, nonce, offset, length);
      ByteBuffer plain = src.duplicate().clear().position(srcPosition);
      int made = work.cipher.doFinal(plain.limit(srcPosition + length), sealed);
      assert made == length + TAG_BYTES : made;
    } catch (GeneralSecurityException e) {
      throw new IOException("can't encrypt the block at " + offset + ": " + e.getMessage(), e);
    } finally {
      workspaces.giveBack(work);
    }
    inner.write(offset, sealed, 0, length);
    long entry = entry(offset);
    entries.putLong(entry, nonce);
    entries.putLong(entry + Long.BYTES, sealed.getLong(length));
    entries.putLong(entry + 2 * Long.BYTES, sealed.getLong(length + Long.BYTES));
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    Objects.checkFromIndexSize(dst.position(), length, dst.limit());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      read(offset, copy, length);
      VanishingMemory.copyTo(dst, dst.position(), copy);
      return;
    }
    ByteBuffer sealed = rooms.take(length + TAG_BYTES);
    try {
      readSealed(offset, dst, length, sealed);
    } finally {
      rooms.giveBack(sealed);
    }
  }

  private void readSealed(long offset, ByteBuffer dst, int length, ByteBuffer sealed)
      throws IOException {
    inner.read(offset, sealed, length);
    long entry = entry(offset);
    sealed.putLong(length, entries.getLong(entry + Long.BYTES));
    sealed.putLong(length + Long.BYTES, entries.getLong(entry + 2 * Long.BYTES));
    Workspace work = workspaces.take();
    try {
      begin(work, Cipher.DECRYPT_MODE, entries.getLong(entry), offset, length);
      // Of a direct buffer whose bytes don't match their tag, the JDK clears all up to there from
      // the buffer's beginning on, not from its position.
      int made = work.cipher.doFinal(sealed, dst.slice(dst.position(), length));
      assert made == length : made;
    } catch (AEADBadTagException e) {
      throw new IOException("the block at " + offset + " is not what was written there", e);
    } catch (GeneralSecurityException e) {
      throw new IOException("can't decrypt the block at " + offset + ": " + e.getMessage(), e);
    } finally {
      workspaces.giveBack(work);
    }
  }

  /** A block is bound to its place and length, so that no other one passes for it. */
  private void begin(Workspace work, int mode, long nonce, long offset, int length)
      throws GeneralSecurityException {
    ByteBuffer.wrap(work.nonce).putLong(AesGcm.NONCE_BYTES - Long.BYTES, nonce);
    AesGcm.begin(work.cipher, mode, key, work.nonce, TAG_BYTES);
    byte[] place = new byte[Long.BYTES + Integer.BYTES];
    ByteBuffer.wrap(place).putLong(offset).putInt(length);
    work.cipher.updateAAD(place);
  }

  private long entry(long offset) {
    if (offset % granuleBytes != 0) {
      throw new IllegalArgumentException(
          "offset is " + offset + "; blocks begin at multiples of " + granuleBytes);
    }
    return offset / granuleBytes * ENTRY_BYTES;
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    inner.persist(offset, length);
  }

  /** Returns none: what lies there can't be read in place. */
  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes());
    return 0;
  }

  @Override
  public void check() throws IOException {
    inner.check();
  }

  /** Returns none: the key ends with the process, and the bytes with the key. */
  @Override
  public Durability durability() {
    return Durability.NONE;
  }

  @Override
  public long bufferBytes() {
    return entries.sizeBytes() + rooms.keptBytes() + inner.bufferBytes();
  }

  @Override
  public WriteCost writeCost() {
    return inner.writeCost();
  }

  @Override
  public Optional<Path> path() {
    return inner.path();
  }

  @Override
  public String describe() {
    return inner.describe() + ", encrypted";
  }

  @Override
  public void retire() {
    inner.retire();
  }

  @Override
  public void abandon() {
    inner.abandon();
  }

  /** Gives memory and files back. Does nothing the second time. */
  @Override
  public synchronized void close() {
    Claims.requireNotHeld(this);
    if (closed) {
      return;
    }
    closed = true;
    try (entries) {
      Claims.release(inner).close();
    }
  }
}
