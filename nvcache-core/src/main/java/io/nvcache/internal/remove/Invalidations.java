// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.FileIdentity;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.RegisteredFiles;
import io.nvcache.shadow.KeySample;

/** Takes blocks out on the caller's word: one at a time, or all of a file at once. */
public final class Invalidations {
  private final CallGate gate;
  private final FileTable files;
  private final FileIdentityHooks known;
  private final RegisteredFiles dataSet;
  private final Remover remover;
  private final KeySample sample;
  private final Maintenance maintenance;

  public Invalidations(
      CallGate gate,
      FileTable files,
      FileIdentityHooks known,
      RegisteredFiles dataSet,
      Remover remover,
      KeySample sample,
      Maintenance maintenance) {
    this.gate = gate;
    this.files = files;
    this.known = known;
    this.dataSet = dataSet;
    this.remover = remover;
    this.sample = sample;
    this.maintenance = maintenance;
  }

  /** Names a file beyond the life of the cache. */
  public void identify(long fileId, FileIdentity identity) {
    refuseToWaitForItself();
    known.identify(fileId, identity);
  }

  /** The restoring thread takes the identities' monitor first, and then a bucket's lock. */
  private void refuseToWaitForItself() {
    gate.holders().refuseToWaitForItself();
  }

  /** Removes a block, for later caches as well; false if it was not cached. */
  public boolean block(long fileId, long offset) {
    boolean removed = remove(fileId, offset);
    known.awaitGone(); // Outside the gate: see there.
    return removed;
  }

  private boolean remove(long fileId, long offset) {
    int stripe = gate.begin();
    try {
      if (gate.isClosed()) {
        return false;
      }
      if (sample.has(fileId, offset)) {
        sample.invalidation(fileId, offset, stripe);
      }
      known.blockGoes(fileId); // First, or the block could be restored behind it.
      int number = files.find(fileId, BucketLayout.segment(offset));
      return number != FileTable.NONE
          && remover.invalidate(BucketLayout.key(number, offset), stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Hides a file's blocks at once; the background work reclaims them. */
  public void file(long fileId) {
    refuseToWaitForItself();
    dataSet.unregister(fileId);
    known.fileGoes(fileId);
    files.drop(fileId);
    if (sample.isOn()) {
      sample.fileGone(fileId);
    }
    if (files.deadBlocks() > 0) {
      maintenance.wake();
    }
  }
}
