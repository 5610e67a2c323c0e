// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreTest {
  private final ModelMachine machine =
      new ModelMachine(ModelParameters.PAPER, ModelParameters.PAPER.nvram());
  private final List<String> told = new ArrayList<>();
  private final Tier tier =
      new Tier(machine) {
        @Override
        public void write(int place, Activity activity) {
          told.add("written " + place);
        }

        @Override
        public void freed(int place, Activity activity) {
          told.add("freed " + place);
        }

        @Override
        public void pageLeft(int place, Activity activity) {
          told.add("left " + place);
        }
      };

  /** Three pages, of which memory holds one. */
  private final Store store = new Store(machine, new BlockFile(3), 1, 0, Memory.DRAM, tier);

  private void read(int page) {
    OneStep client = new OneStep();
    store.load(page, store.fetch(page, client), Source.READ, client);
  }

  @Test
  void shouldTellOfAPageThatLeavesMemoryUnchanged() {
    read(0);
    read(1);

    assertThat(told).containsExactly("left 0");
  }

  @Test
  void shouldTellWhereAChangedPageLiesWhenItLeavesMemory() {
    read(0);
    store.change(0, new OneStep());
    read(1);

    assertThat(told).containsExactly("freed 0", "written 3", "left 3");
  }
}
