// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.background.SharedCleaner;
import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.memory.Claims;
import java.lang.ref.Cleaner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the medium's memory allocated for all that may still read it: the cache, open pins, and
 * views made from pins all reference this handle.
 *
 * <p>The memory goes at once when the cache is closed, nothing is pinned and no reader is left that
 * could read it unseen; otherwise when the last pin is closed; and where views were handed out,
 * which can't be called back, or pins closed by others than those who read them, when the garbage
 * collector finds that nothing references the handle. Reading freed memory would end the JVM.
 *
 * <p>What becomes of its bytes does not wait for the garbage collector, which may never come: the
 * medium is {@linkplain Medium#retire retired} with the cache, or with the last pin after that. Who
 * reads it unseen is not owed the block any more.
 */
public final class MediumHandle implements PinnedMemory {
  private static final Logger LOG = LoggerFactory.getLogger(MediumHandle.class);

  private final Medium medium;
  private final boolean fileBacked;

  /** Asked for once, while the cache is built: what throws later must not keep the rest open. */
  private final String description;

  private final Cleaner.Cleanable memory;
  private volatile boolean readUnseen;

  /** Under this object's monitor. */
  private boolean retired;

  public MediumHandle(Medium medium) {
    this.medium = medium;
    this.fileBacked = medium.durability() != Durability.NONE;
    String name = medium.describe();
    this.description = name;
    // The action must not reference the handle, or it would never become unreachable.
    this.memory = SharedCleaner.register(this, () -> close(medium, name));
  }

  private static void close(Medium medium, String description) {
    try {
      Claims.release(medium).close();
    } catch (RuntimeException | Error e) {
      LOG.warn("{} did not close", description, e);
    }
  }

  @Override
  public boolean isFileBacked() {
    return fileBacked;
  }

  @Override
  public MediumHandle medium() {
    return this;
  }

  @Override
  public void allowUnseenReads() {
    if (!readUnseen) {
      readUnseen = true;
    }
  }

  /** The cache is closed and the medium still pinned. */
  void reportPinned(long bytes) {
    if (fileBacked) {
      LOG.warn(
          "{} bytes of {} are pinned; it is wiped or deleted, if it is to be, when the last pin"
              + " is closed",
          bytes,
          description);
    }
  }

  /**
   * Ends the medium: its bytes are owed to no reader any more. Frees its memory, now or as soon as
   * it can be known that no thread reads it. Idempotent; a second call waits for the first.
   */
  synchronized void release() {
    try {
      if (!retired) {
        retired = true;
        retire();
      }
    } finally { // A log may throw, too.
      if (!readUnseen) {
        memory.clean();
      }
    }
  }

  private void retire() {
    try {
      medium.retire();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: its bytes may not have been wiped or deleted", description, e);
    }
  }
}
