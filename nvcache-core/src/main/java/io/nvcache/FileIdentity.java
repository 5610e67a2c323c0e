// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names the bytes of a file beyond the life of a process, in 128 bits: what a cache that
 * {@linkplain Restart#WARM restarts warm} knows a file by, since file ids end with the process.
 *
 * <p><b>Contract.</b> Two files with the same identity have the same byte at each offset, on any
 * machine and at any time. So an identity is made of what changes whenever the bytes do: a UUID
 * that the store gave the file, or a digest of its contents; never of a path alone, which a deleted
 * file and its namesake share.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record FileIdentity(long high, long low) {
  /** The length of an identity. */
  public static final int BYTES = 2 * Long.BYTES;

  /**
   * Returns the identity of what is named by some words, such as {@code "hfile"} and the name of an
   * HFile: the first half of the SHA-256 of the words, each after its length. The same words in the
   * same order give the same identity in each version of the library.
   *
   * @param words at least one; the first says what kind of name the others are
   * @throws IllegalArgumentException if there is none
   */
  public static FileIdentity of(String... words) {
    Objects.requireNonNull(words, "words");
    if (words.length == 0) {
      throw new IllegalArgumentException(
          "an identity of no words; name at least what tells the file from all others");
    }
    MessageDigest digest = sha256();
    for (String word : words) {
      byte[] bytes =
          Objects.requireNonNull(word, "words has a null").getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
    ByteBuffer half = ByteBuffer.wrap(digest.digest());
    return new FileIdentity(half.getLong(), half.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** By hand: the JDK keeps the last class for which it made this, and so its class loader. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileIdentity that && high == that.high && low == that.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * high + low);
  }

  /** Returns 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
