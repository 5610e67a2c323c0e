// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LlplHeapMediumBuilderTest {
  /** Knows who was deleted, and may refuse. */
  private record Source(Path path, boolean refuses, List<Path> deleted) implements HeapSource {
    @Override
    public Path directory() {
      return path;
    }

    @Override
    public long allocate(long lengthBytes) {
      return 0;
    }

    @Override
    public void force() {}

    @Override
    public void delete() throws IOException {
      if (refuses) {
        throw new IOException("can't delete " + path);
      }
      deleted.add(path);
    }
  }

  @Test
  void shouldDeleteAllHeapsAndKeepTheCause() {
    List<Path> deleted = new ArrayList<>();
    OutOfMemoryError cause = new OutOfMemoryError("no heap");

    LlplHeapMediumBuilder.deleteAll(
        List.of(new Source(Path.of("a"), true, deleted), new Source(Path.of("b"), false, deleted)),
        cause);

    assertThat(deleted).containsExactly(Path.of("b"));
    assertThat(cause.getSuppressed()).singleElement().asString().contains("can't delete a");
  }
}
