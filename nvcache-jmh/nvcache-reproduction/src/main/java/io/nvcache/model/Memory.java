// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;

/** What it costs to touch a frame of system memory, beyond what processor times cover. */
public interface Memory {
  /** Charges a read of the frame's bytes. */
  void read(int frame, Activity activity);

  /** Charges a write of the frame's bytes. */
  void write(int frame, Activity activity);

  /** Charges a look at a few of the frame's lines. */
  void glance(int frame, Activity activity);

  /** Charges for bytes that a device puts into the whole frame. */
  void fill(int frame, Activity activity);

  /** All of it is DRAM. */
  Memory DRAM =
      new Memory() {
        @Override
        public void read(int frame, Activity activity) {}

        @Override
        public void write(int frame, Activity activity) {}

        @Override
        public void glance(int frame, Activity activity) {}

        @Override
        public void fill(int frame, Activity activity) {}
      };
}
