// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockNumberingTest {
  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 3 * BlockNumbering.BLOCKS_PER_FILE;

  private record Name(long fileId, long offset) {
    static Name of(long key) {
      return new Name(BlockNumbering.fileId(key), BlockNumbering.offset(key, BLOCK_BYTES));
    }
  }

  private static Set<Name> names(long from) {
    return LongStream.range(from, from + BLOCKS).mapToObj(Name::of).collect(Collectors.toSet());
  }

  private static Set<Long> files(Set<Name> names) {
    return names.stream().map(Name::fileId).collect(Collectors.toSet());
  }

  @Test
  void shouldNameEachBlockOnce() {
    assertThat(names(0)).hasSize(BLOCKS);
    assertThat(files(names(0))).hasSize(BLOCKS / BlockNumbering.BLOCKS_PER_FILE);
  }

  @Test
  void shouldKnowOtherBlocksOfTheSameFiles() {
    Set<Name> absent = names(BlockNumbering.ABSENT_BLOCKS);

    assertThat(absent).hasSize(BLOCKS).doesNotContainAnyElementsOf(names(0));
    assertThat(files(absent)).isEqualTo(files(names(0)));
  }

  @Test
  void shouldKnowBlocksOfOtherFiles() {
    Set<Name> absent = names(BlockNumbering.ABSENT_FILES);

    assertThat(absent).hasSize(BLOCKS);
    assertThat(files(absent)).doesNotContainAnyElementsOf(files(names(0)));
  }
}
