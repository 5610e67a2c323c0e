// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.CacheStats;
import io.nvcache.Source;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import org.jspecify.annotations.Nullable;

/**
 * What a system puts next to or below the store's block reader. Each method decides at once and
 * charges the activity with what its decision costs.
 *
 * <p>This one has nothing: the store, the kernel's buffer cache and the disk.
 */
public class Tier implements AutoCloseable {
  private final ModelMachine machine;

  public Tier(ModelMachine machine) {
    this.machine = machine;
  }

  final ModelMachine machine() {
    return machine;
  }

  /** Serves a block, asked before the buffer cache is; false if it does not have it. */
  public boolean read(int place, Activity activity) {
    return false;
  }

  /** Reads a block that is not in the buffer cache. */
  public void readBelow(int place, Activity activity) {
    machine.readDisk(activity);
  }

  /** The store has got a block that {@link #read} did not have. */
  public void fetched(int place, Source source, Activity activity) {}

  /** Writes a fresh block. */
  public void write(int place, Activity activity) {
    machine.writeDisk(activity);
  }

  /** The store no longer needs a block. */
  public void freed(int place, Activity activity) {}

  /** The store lets a page go, whose block lies at this place by now. */
  public void pageLeft(int place, Activity activity) {}

  /** The file has this length now. */
  public void dataSetBytes(long bytes) {}

  /** Background work, once a second. */
  public void everySecond(Activity activity) {}

  /** What the real cache counted, if there is one. */
  public @Nullable CacheStats stats() {
    return null;
  }

  @Override
  public void close() {}
}
