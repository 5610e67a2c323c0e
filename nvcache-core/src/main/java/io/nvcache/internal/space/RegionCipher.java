// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.medium.KeySource;
import io.nvcache.memory.LendingPool;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals blocks and footers of regions: AES-256 in Galois/counter mode (NIST SP 800-38D), under a
 * key that lies wrapped in the superblock.
 *
 * <p><b>Nonces</b> are the generation and the first granule. In one generation a granule is given
 * to one block, and the one behind the last to the footer. A generation is in a superblock on the
 * medium before a byte of it is written, and the next cache begins with a higher one: so no nonce
 * that was seen outside the process comes twice, wherever an earlier cache was killed.
 *
 * <p>Thread-safe. Calls allocate, as the JDK's ciphers do.
 */
public final class RegionCipher {
  /** Of a block: it takes the place of the two sums in the block's header. */
  static final int BLOCK_TAG_BYTES = 12;

  /** Of a footer: it takes the place of the sum and the unused bytes before it. */
  static final int FOOTER_TAG_BYTES = 16;

  /** The granule in the nonce of a footer, which no block begins at. */
  private static final int FOOTER_GRANULE = -1;

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;

  private final SecretKey key;
  private final ByteBuffer wrapped;
  private final LendingPool<Work> works = new LendingPool<>(Work::new);

  /** What a call needs. */
  private static final class Work {
    final Cipher cipher = newCipher();
    final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    ByteBuffer room = ByteBuffer.allocate(0);

    ByteBuffer room(int bytes) {
      if (room.capacity() < bytes) {
        room = ByteBuffer.allocate(bytes);
      }
      return room.clear().limit(bytes);
    }

    private static Cipher newCipher() {
      try {
        return Cipher.getInstance(CIPHER);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("this JVM has no " + CIPHER, e);
      }
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

  private RegionCipher(byte[] key, ByteBuffer wrapped) {
    this.key = new SecretKeySpec(key, "AES");
    this.wrapped = wrapped;
  }

  /** Draws a key, which the source wraps. */
  static RegionCipher fresh(KeySource keys) throws IOException {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    byte[] lent = key.clone();
    try {
      byte[] wrapped = keys.wrap(lent);
      if (wrapped.length == 0 || wrapped.length > KeySource.MAX_WRAPPED_BYTES) {
        throw new IOException(
            "the wrapped key has "
                + wrapped.length
                + " bytes; it may have 1 to "
                + KeySource.MAX_WRAPPED_BYTES);
      }
      return new RegionCipher(key, ByteBuffer.wrap(wrapped.clone()));
    } finally {
      Arrays.fill(lent, (byte) 0);
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Draws a key that ends with the process. */
  public static RegionCipher ephemeral() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new RegionCipher(key, ByteBuffer.allocate(0));
  }

  /** Takes the key of an earlier cache. */
  static RegionCipher unwrap(KeySource keys, ByteBuffer wrapped) throws IOException {
    byte[] bytes = new byte[wrapped.remaining()];
    wrapped.duplicate().get(bytes);
    byte[] key = keys.unwrap(bytes);
    if (key.length != KEY_BYTES) {
      throw new IOException("the key has " + key.length + " bytes, and not " + KEY_BYTES);
    }
    try {
      return new RegionCipher(key, wrapped);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Returns what the superblock keeps. */
  ByteBuffer wrapped() {
    return wrapped.duplicate();
  }

  /** Seals a block. */
  void sealBlock(
      ByteBuffer header, long generation, ByteBuffer block, int at, int length, Sealed to) {
    if (RawMemory.mayVanish(block)) {
      sealBlock(header, generation, VanishingMemory.copyOf(block, at, length), 0, length, to);
      return;
    }
    Work work = works.take();
    try {
      int granule = RegionLayout.granule(header);
      begin(work, Cipher.ENCRYPT_MODE, generation, granule, BLOCK_TAG_BYTES, header);
      ByteBuffer sealed = work.room(length + BLOCK_TAG_BYTES);
      work.cipher.doFinal(block.duplicate().clear().position(at).limit(at + length), sealed);
      to.put(sealed.flip());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't encrypt a block", e);
    } finally {
      works.giveBack(work);
    }
  }

  /**
   * Opens a block.
   *
   * @param tagged the block's header in a buffer, whose last bytes are the tag
   * @return the whole block; null if its bytes are gone, or not those that were sealed
   */
  @Nullable ByteBuffer openBlock(
      ByteBuffer header, long generation, ByteBuffer tagged, int length, Bytes from) {
    Work work = works.take();
    try {
      ByteBuffer sealed = work.room(length + BLOCK_TAG_BYTES);
      if (!from.copyTo(sealed.duplicate())) {
        return null;
      }
      sealed.put(
          length, tagged, RegionLayout.BLOCK_HEADER_BYTES - BLOCK_TAG_BYTES, BLOCK_TAG_BYTES);
      int granule = RegionLayout.granule(header);
      begin(work, Cipher.DECRYPT_MODE, generation, granule, BLOCK_TAG_BYTES, header);
      ByteBuffer plain = ByteBuffer.allocate(length);
      work.cipher.doFinal(sealed, plain);
      return plain.flip();
    } catch (AEADBadTagException notTheBlock) {
      return null;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't decrypt a block", e);
    } finally {
      works.giveBack(work);
    }
  }

  /** Seals a footer in place: all before {@code head}, bound to the head itself. */
  void sealFooter(ByteBuffer footer, int head, long generation) {
    footer(Cipher.ENCRYPT_MODE, footer, head, generation);
  }

  /** Opens a footer in place; false if it is not what was sealed. */
  boolean openFooter(ByteBuffer footer, int head, long generation) {
    return footer(Cipher.DECRYPT_MODE, footer, head, generation);
  }

  private boolean footer(int mode, ByteBuffer footer, int head, long generation) {
    Work work = works.take();
    int tagAt = head + RegionFooter.HEAD_BYTES - FOOTER_TAG_BYTES;
    try {
      ByteBuffer bound = footer.duplicate().position(head).limit(tagAt);
      begin(work, mode, generation, FOOTER_GRANULE, FOOTER_TAG_BYTES, bound);
      ByteBuffer room = work.room(head + FOOTER_TAG_BYTES);
      ByteBuffer result = ByteBuffer.allocate(head + FOOTER_TAG_BYTES);
      room.put(0, footer, 0, head);
      if (mode == Cipher.DECRYPT_MODE) {
        room.put(head, footer, tagAt, FOOTER_TAG_BYTES);
      } else {
        room.limit(head);
      }
      work.cipher.doFinal(room, result);
      footer.put(0, result, 0, head);
      if (mode == Cipher.ENCRYPT_MODE) {
        footer.put(tagAt, result, head, FOOTER_TAG_BYTES);
      }
      return true;
    } catch (AEADBadTagException notTheFooter) {
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("can't encrypt or decrypt a footer", e);
    } finally {
      works.giveBack(work);
    }
  }

  private void begin(
      Work work, int mode, long generation, int granule, int tagBytes, ByteBuffer bound)
      throws GeneralSecurityException {
    work.nonce.putLong(0, generation).putInt(Long.BYTES, granule);
    work.cipher.init(mode, key, new GCMParameterSpec(tagBytes * Byte.SIZE, work.nonce.array()));
    work.cipher.updateAAD(bound.duplicate());
  }
}
