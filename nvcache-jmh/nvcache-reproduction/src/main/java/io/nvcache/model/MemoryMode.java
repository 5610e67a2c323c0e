// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Intel Memory Mode: system memory is NVRAM, and DRAM its direct-mapped cache (SoCC '22, §4.1.1).
 * Frames lie at random places, as physical pages do on a machine that has run for a while; so hot
 * frames share places in DRAM by chance. A frame that is not near is read from afar, after what is
 * in its place has been written back if it was changed.
 *
 * <p>The hardware moves cache lines; here a frame of one block moves at once.
 */
final class MemoryMode implements Memory {
  private static final int EMPTY = -1;

  private final ModelMachine machine;
  private final int[] places;
  private final int[] nearFrames;
  private final boolean[] changed;

  /**
   * Lays out memory.
   *
   * @param frames of system memory
   * @param near of them, how many DRAM holds
   */
  MemoryMode(ModelMachine machine, int frames, int near, long seed) {
    this.machine = machine;
    this.nearFrames = new int[Math.max(1, near)];
    Arrays.fill(nearFrames, EMPTY);
    this.changed = new boolean[nearFrames.length];
    this.places = new int[frames];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < frames; i++) {
      int other = random.nextInt(i + 1);
      places[i] = places[other];
      places[other] = i;
    }
  }

  @Override
  public void read(int frame, Activity activity) {
    bringNear(frame, machine.parameters().blockBytes(), activity);
  }

  @Override
  public void write(int frame, Activity activity) {
    changed[bringNear(frame, machine.parameters().blockBytes(), activity)] = true;
  }

  /** The lines that are looked at come near, not the frame. */
  @Override
  public void glance(int frame, Activity activity) {
    if (nearFrames[places[frame] % nearFrames.length] != frame) {
      machine.readNvram(activity, machine.parameters().glanceBytes());
    }
  }

  /** Whole lines are written without being read first. */
  @Override
  public void fill(int frame, Activity activity) {
    changed[bringNear(frame, 0, activity)] = true;
  }

  private int bringNear(int frame, int farBytes, Activity activity) {
    int place = places[frame] % nearFrames.length;
    if (nearFrames[place] != frame) {
      if (changed[place]) {
        machine.writeNvram(activity, machine.parameters().blockBytes());
      }
      machine.readNvram(activity, farBytes);
      nearFrames[place] = frame;
      changed[place] = false;
    }
    return place;
  }
}
