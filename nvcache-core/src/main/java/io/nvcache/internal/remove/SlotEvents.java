// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.internal.gate.LockHolders;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedEviction;

/**
 * Passes what happens to slots on to the eviction policy and the file table.
 *
 * <p>Runs inside a bucket's lock, in the middle of an insertion or removal that has to be carried
 * through: whatever a policy throws, errors included, it only loses sight of a slot. A policy that
 * wants to change the cache from here would wait for that very lock, and is {@linkplain LockHolders
 * refused}.
 */
public record SlotEvents(GuardedEviction eviction, FileTable files, LockHolders holders)
    implements BlockIndex.SlotListener {
  @Override
  public void inserted(int slot) {
    int place = holders.enter();
    try {
      eviction.onAdmit(slot);
    } finally {
      holders.leave(place);
    }
  }

  @Override
  public void removed(int slot, long key) {
    files.release(BucketLayout.fileNumber(key));
    int place = holders.enter();
    try {
      eviction.onRemove(slot);
    } finally {
      holders.leave(place);
    }
  }
}
