// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ExtentListTest {
  private static final int EXTENTS = 12;

  private final ExtentList list = new ExtentList();

  private List<Extent> forwards() {
    List<Extent> extents = new ArrayList<>();
    for (Extent extent = list.first(); extent != null; extent = extent.next) {
      extents.add(extent);
    }
    return extents;
  }

  private List<Extent> backwards(Extent last) {
    List<Extent> extents = new ArrayList<>();
    for (Extent extent = last; extent != null; extent = extent.previous) {
      extents.add(extent);
    }
    Collections.reverse(extents);
    return extents;
  }

  /** Compared with the deque that it replaces. */
  @Test
  void shouldDoAsADequeDoes() {
    long seed = 20261123;
    SplittableRandom random = new SplittableRandom(seed);
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < EXTENTS; i++) {
      extents.add(new Extent(i, 0, 4096, 1 << 16));
    }
    ArrayDeque<Extent> model = new ArrayDeque<>();
    for (int step = 0; step < 100_000; step++) {
      Extent extent = extents.get(random.nextInt(EXTENTS));
      if (model.contains(extent) || random.nextInt(8) == 0) {
        model.remove(extent);
        list.remove(extent);
      } else if (random.nextBoolean()) {
        model.addFirst(extent);
        list.addFirst(extent);
      } else {
        model.addLast(extent);
        list.addLast(extent);
      }

      String where = "seed " + seed + ", step " + step;
      assertThat(forwards()).as(where).containsExactlyElementsOf(model);
      assertThat(backwards(model.peekLast())).as(where).containsExactlyElementsOf(model);
      assertThat(list.isEmpty()).as(where).isEqualTo(model.isEmpty());
      assertThat(list.hasSeveral()).as(where).isEqualTo(model.size() > 1);
    }
  }
}
