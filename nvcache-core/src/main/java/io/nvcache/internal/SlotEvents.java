// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.eviction.EvictionPolicy;

/**
 * Passes what happens to slots on to the eviction policy and the file table.
 *
 * <p>Runs inside a bucket's lock, in the middle of an insertion or removal that has to be carried
 * through: whatever a policy throws, errors included, it only loses sight of a slot.
 */
record SlotEvents(EvictionPolicy eviction, FileTable files, PolicyFailures failures)
    implements BlockIndex.SlotListener {
  @Override
  public void inserted(int slot) {
    try {
      eviction.onAdmit(slot);
    } catch (RuntimeException | Error e) {
      failures.report(eviction, e);
    }
  }

  @Override
  public void removed(int slot, long key) {
    files.release(BucketLayout.fileNumber(key));
    try {
      eviction.onRemove(slot);
    } catch (RuntimeException | Error e) {
      failures.report(eviction, e);
    }
  }
}
