// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.KeySource;
import io.nvcache.memory.AesGcm;
import io.nvcache.memory.HeapBuffers;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * Seals blocks and footers of regions: AES-256 in Galois/counter mode (NIST SP 800-38D), each
 * region under its own key. Superblocks and region headers are in the clear, and have a tag. All
 * keys follow from one that lies wrapped in the superblock: {@link RegionKeys}.
 *
 * <p><b>Nonces</b> are the generation and the first granule. In one generation a granule is given
 * to one block, and the one behind the last to the footer. A region that is opened draws a salt for
 * its key. So no nonce comes twice under one key, whatever the medium says of generations: an older
 * state of it may be put back, and copies of it may be used at once.
 *
 * <p>Thread-safe. Calls allocate, as the JDK's ciphers do.
 */
public final class RegionCipher implements RegionCodec {
  /** The length of a block's tag, which replaces the two sums in the block's header. */
  static final int BLOCK_TAG_BYTES = 12;

  /** The length of a footer's tag, which replaces the sum and the unused bytes before it. */
  static final int FOOTER_TAG_BYTES = 16;

  /** The granule in the nonce of a footer, which no block begins at. */
  private static final int FOOTER_GRANULE = 0xFFFF_FFFF;

  private final SecureRandom random = new SecureRandom();
  private final RegionKeys keys;
  private final ByteBuffer wrapped;
  private final CipherSlots ciphers;
  private final HeapBuffers rooms = new HeapBuffers();

  /** Where bytes are sealed and opened. It grows. */
  static final class Room {
    private byte[] bytes;

    Room() {
      this(new byte[0]);
    }

    private Room(byte[] bytes) {
      this.bytes = bytes;
    }

    private byte[] of(int length) {
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      return bytes;
    }
  }

  /** Says where sealed bytes go. */
  @FunctionalInterface
  interface Sealed {
    /** Takes the bytes from the position on, and the tag behind them. Not to be kept. */
    void put(ByteBuffer bytesAndTag);
  }

  /** Says where bytes of a block are copied from. */
  @FunctionalInterface
  interface Bytes {
    /** Copies to a buffer from its beginning on; false if they are gone. */
    boolean copyTo(ByteBuffer dst);
  }

  private RegionCipher(byte[] key, ByteBuffer wrapped, int regions) {
    this.keys = new RegionKeys(key, regions);
    this.wrapped = wrapped;
    this.ciphers = new CipherSlots(regions);
  }

  /** Draws a key, which the source wraps. */
  public static RegionCipher fresh(KeySource source, int regions) throws IOException {
    byte[] key = AesGcm.newKey();
    byte[] lent = key.clone();
    try {
      byte[] wrapped = source.wrap(lent);
      if (wrapped.length == 0 || wrapped.length > KeySource.MAX_WRAPPED_BYTES) {
        throw new IOException(
            "the wrapped key has "
                + wrapped.length
                + " bytes; it may have 1 to "
                + KeySource.MAX_WRAPPED_BYTES);
      }
      return new RegionCipher(key, ByteBuffer.wrap(wrapped.clone()), regions);
    } finally {
      Arrays.fill(lent, (byte) 0);
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Draws a key that ends with the process. */
  public static RegionCipher ephemeral(Sizing sizing) {
    byte[] key = AesGcm.newKey();
    int regions = RegionLayout.regions(sizing.capacityBytes(), sizing.extentBytes());
    try {
      return new RegionCipher(key, ByteBuffer.allocate(0), regions);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /**
   * Takes the key of an earlier cache.
   *
   * @throws IOException if the source does not give one, whatever it throws
   */
  public static RegionCipher unwrap(KeySource source, ByteBuffer wrapped, int regions)
      throws IOException {
    byte[] bytes = new byte[wrapped.remaining()];
    wrapped.duplicate().get(bytes);
    byte[] key;
    try {
      key = Objects.requireNonNull(source.unwrap(bytes), "the unwrapped key");
    } catch (RuntimeException e) {
      throw new IOException("the key source failed: " + e, e);
    }
    try {
      if (key.length != AesGcm.KEY_BYTES) {
        throw new IOException("the key has " + key.length + " bytes, and not " + AesGcm.KEY_BYTES);
      }
      return new RegionCipher(key, wrapped, regions);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  @Override
  public ByteBuffer wrapped() {
    return wrapped.duplicate();
  }

  @Override
  public void putTag(ByteBuffer bytes, int at, int length) {
    keys.putTag(bytes, at, length);
  }

  /** Returns whether a superblock has its tag behind its bytes. */
  boolean hasTag(ByteBuffer bytes, int at, int length) {
    return keys.hasTag(bytes, at, length);
  }

  /**
   * Makes ready to seal what a region is filled with from now on: draws a salt, and writes it and
   * the tag into the region's header.
   */
  @Override
  public void openRegion(int region, ByteBuffer header, int at) {
    byte[] salt = new byte[RegionLayout.SALT_BYTES];
    random.nextBytes(salt);
    header.put(at + RegionLayout.SALT_AT, salt);
    keys.putTag(header, at, RegionLayout.TAG_AT);
    keys.put(region, header, at, RegionLayout.TAG_AT);
  }

  @Override
  public boolean adoptRegion(int region, ByteBuffer header, int at) {
    if (!keys.hasTag(header, at, RegionLayout.TAG_AT)) {
      return false;
    }
    keys.put(region, header, at, RegionLayout.TAG_AT);
    return true;
  }

  /** Seals a block. */
  @SuppressWarnings("ByteBufferBackingArray") // Rooms are whole arrays.
  void sealBlock(
      int region,
      ByteBuffer header,
      long generation,
      ByteBuffer block,
      int at,
      int length,
      Sealed to) {
    if (RawMemory.mayVanish(block)) {
      ByteBuffer copy = VanishingMemory.copyOf(block, at, length);
      sealBlock(region, header, generation, copy, 0, length, to);
      return;
    }
    ByteBuffer room = rooms.take(length + BLOCK_TAG_BYTES);
    try {
      byte[] bytes = room.array();
      // On the heap and in place: the JDK's ciphers are fastest there.
      block.duplicate().clear().get(at, bytes, 0, length);
      byte[] nonce = nonce(generation, RegionLayout.granule(header));
      Cipher cipher =
          ciphers.take(region, Cipher.ENCRYPT_MODE, keys.of(region), nonce, BLOCK_TAG_BYTES);
      cipher.updateAAD(header.duplicate());
      cipher.doFinal(bytes, 0, length, bytes, 0);
      ciphers.giveBack(region, cipher);
      to.put(room);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't encrypt a block", e);
    } finally {
      rooms.giveBack(room);
    }
  }

  /**
   * Opens a block.
   *
   * @param tagged the block's header in a buffer, whose last bytes are the tag
   * @param room where the block is opened, and stays until the room is used again
   * @return the whole block; null if its bytes are gone, or not those that were sealed
   */
  @Nullable ByteBuffer openBlock(
      int region,
      ByteBuffer header,
      long generation,
      ByteBuffer tagged,
      int length,
      Bytes from,
      Room room) {
    byte[] sealed = room.of(length + BLOCK_TAG_BYTES);
    if (!from.copyTo(ByteBuffer.wrap(sealed))) {
      return null;
    }
    tagged.get(RegionLayout.BLOCK_HEADER_BYTES - BLOCK_TAG_BYTES, sealed, length, BLOCK_TAG_BYTES);
    Cipher cipher = null;
    try {
      byte[] nonce = nonce(generation, RegionLayout.granule(header));
      cipher = ciphers.take(region, Cipher.DECRYPT_MODE, keys.of(region), nonce, BLOCK_TAG_BYTES);
      cipher.updateAAD(header.duplicate());
      cipher.doFinal(sealed, 0, length + BLOCK_TAG_BYTES, sealed, 0);
      return ByteBuffer.wrap(sealed, 0, length);
    } catch (AEADBadTagException notTheBlock) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't decrypt a block", e);
    } finally {
      if (cipher != null) {
        ciphers.giveBack(region, cipher);
      }
    }
  }

  /** Lends a room for a block that no read of the medium has. */
  Room takeRoom(int lengthBytes) {
    return new Room(rooms.take(lengthBytes + BLOCK_TAG_BYTES).array());
  }

  void giveBack(Room room) {
    rooms.giveBack(ByteBuffer.wrap(room.bytes));
  }

  /** Returns the bytes of the rooms that are kept. */
  long keptBytes() {
    return rooms.keptBytes();
  }

  @Override
  public int version() {
    return RegionLayout.SEALED_VERSION;
  }

  /** A tag has to lie next to each block. */
  @Override
  public boolean readsPagesAsTheyAre() {
    return false;
  }

  @Override
  public BlockCodec ofBlocks(AppendLog log) {
    return new SealedBlocks(log, this);
  }

  /** All before the head, bound to the head itself, whose sum the tag replaces. */
  @Override
  public void sealFooter(ByteBuffer footer, int region, long generation) {
    footer(region, Cipher.ENCRYPT_MODE, footer, generation);
  }

  @Override
  public boolean openFooter(ByteBuffer footer, int region, long generation) {
    if (!footer(region, Cipher.DECRYPT_MODE, footer, generation)) {
      return false;
    }
    RegionFooter.putSum(footer);
    return true;
  }

  private boolean footer(int region, int mode, ByteBuffer footer, long generation) {
    int head = footer.limit() - RegionFooter.HEAD_BYTES;
    int tagAt = head + RegionFooter.HEAD_BYTES - FOOTER_TAG_BYTES;
    boolean seals = mode == Cipher.ENCRYPT_MODE;
    byte[] bytes = new byte[head + FOOTER_TAG_BYTES];
    footer.get(0, bytes, 0, head);
    if (!seals) {
      footer.get(tagAt, bytes, head, FOOTER_TAG_BYTES);
    }
    Cipher cipher = null;
    try {
      byte[] nonce = nonce(generation, FOOTER_GRANULE);
      cipher = ciphers.takeAny(mode, keys.of(region), nonce, FOOTER_TAG_BYTES);
      cipher.updateAAD(footer.duplicate().position(head).limit(tagAt));
      cipher.doFinal(bytes, 0, seals ? head : bytes.length, bytes, 0);
    } catch (AEADBadTagException notTheFooter) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't encrypt or decrypt a footer", e);
    } finally {
      if (cipher != null) {
        ciphers.giveBackAny(cipher);
      }
    }
    footer.put(0, bytes, 0, head);
    if (seals) {
      footer.put(tagAt, bytes, head, FOOTER_TAG_BYTES);
    }
    return true;
  }

  private static byte[] nonce(long generation, int granule) {
    return ByteBuffer.allocate(AesGcm.NONCE_BYTES).putLong(generation).putInt(granule).array();
  }
}
