// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.internal.regions.RegionCipher;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.regions.RegionLayout;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.medium.KeySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads both copies of a medium's superblock, and says which one counts. */
public final class SuperblockReader {
  private final ByteBuffer copies = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
  private final Function<Superblock.Geometry, String> unsuitable;
  private final @Nullable KeySource keys;

  /** The cipher of the copy that was unwrapped last; both mostly have the same key. */
  private @Nullable RegionCipher unwrapped;

  /** Why a copy could not be read, if one could not. */
  private @Nullable IOException unreadable;

  private SuperblockReader(
      Function<Superblock.Geometry, String> unsuitable, @Nullable KeySource keys) {
    this.unsuitable = unsuitable;
    this.keys = keys;
  }

  /**
   * What was found.
   *
   * @param superblock the one that counts; null if none can be read
   * @param codec reads its regions, if they are in the clear or their key was given
   * @param fault why the superblock is not to be gone on from; empty if it is
   */
  public record Found(@Nullable Superblock superblock, RegionCodec codec, String fault) {}

  /**
   * Reads them. Of two copies that are valid the one with the higher sequence counts; of sealed
   * ones, where keys are given, only those count that were written under the key that they name.
   *
   * @param unsuitable why a medium that is divided like this is not this one; empty if it may be
   * @param keys for those that are sealed; null if there are none
   * @throws IOException if a copy can't be read, and the other one is none
   */
  public static Found read(
      RegionReader.Bytes medium,
      Function<Superblock.Geometry, String> unsuitable,
      @Nullable KeySource keys)
      throws IOException {
    return new SuperblockReader(unsuitable, keys).read(medium);
  }

  private Found read(RegionReader.Bytes medium) throws IOException {
    Superblock.Read first = readCopy(medium, 0);
    Superblock.Read second = readCopy(medium, Superblock.BYTES);
    if (unreadable != null && first.superblock() == null && second.superblock() == null) {
      throw unreadable;
    }
    boolean isSecond =
        first.superblock() == null
            || (second.superblock() != null
                && second.superblock().sequence() > first.superblock().sequence());
    Found newest = isSecond ? judge(second, Superblock.BYTES) : judge(first, 0);
    Found older = isSecond ? judge(first, 0) : judge(second, Superblock.BYTES);
    return newest.fault.isEmpty() || !older.fault.isEmpty() ? newest : older;
  }

  /** One copy is enough: each knows of all that was revoked. */
  private Superblock.Read readCopy(RegionReader.Bytes medium, int at) {
    try {
      medium.read(at, copies, at, Superblock.BYTES);
    } catch (IOException failure) {
      unreadable = failure;
      return new Superblock.Read(null, failure.toString());
    } catch (RuntimeException | InternalError failure) {
      unreadable = new IOException(failure.toString(), failure);
      return new Superblock.Read(null, failure.toString());
    }
    return Superblock.decode(copies, at);
  }

  private Found judge(Superblock.Read read, int at) {
    Superblock superblock = read.superblock();
    if (superblock == null) {
      return new Found(null, RegionCodec.CLEAR, read.fault());
    }
    String fault = fault(superblock, at);
    if (!fault.isEmpty() || !superblock.isSealed() || keys == null) {
      return new Found(superblock, RegionCodec.CLEAR, fault);
    }
    try {
      RegionCipher its = unwrap(keys, superblock);
      return Superblock.isProven(copies, at, its)
          ? new Found(superblock, its, "")
          : new Found(
              superblock,
              RegionCodec.CLEAR,
              "its superblock was changed, or belongs to another key");
    } catch (IOException e) {
      return new Found(superblock, RegionCodec.CLEAR, "its key can't be read: " + e.getMessage());
    }
  }

  private String fault(Superblock superblock, int at) {
    if (superblock.sequence() % 2 * Superblock.BYTES != at) {
      return "its superblock lies where no cache writes it";
    }
    if (!superblock.hasRoom()) {
      return "its superblock has numbers that no cache can continue from";
    }
    return unsuitable.apply(superblock.geometry());
  }

  private RegionCipher unwrap(KeySource by, Superblock superblock) throws IOException {
    RegionCipher known = unwrapped;
    if (known == null || !known.wrapped().equals(superblock.wrappedKey())) {
      known = RegionCipher.unwrap(by, superblock.wrappedKey(), superblock.geometry().regions());
      unwrapped = known;
    }
    return known;
  }
}
