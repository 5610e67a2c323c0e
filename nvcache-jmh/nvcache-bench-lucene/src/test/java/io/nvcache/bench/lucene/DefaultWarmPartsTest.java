// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** Threads that use parts while others make room. */
final class DefaultWarmPartsTest {
  private static final int FILES = 4;
  private static final int FILE_BYTES = 1024;
  private static final int THREADS = 4;
  private static final int READS = 3000;

  @Test
  void shouldServePartsThatOthersEvict() throws Exception {
    try (ByteBuffersDirectory remote = new ByteBuffersDirectory();
        DefaultWarmParts parts = new DefaultWarmParts(2 * FILE_BYTES)) {
      for (int file = 0; file < FILES; file++) {
        try (IndexOutput out = remote.createOutput("file" + file, IOContext.DEFAULT)) {
          for (int i = 0; i < FILE_BYTES; i++) {
            out.writeByte((byte) file);
          }
        }
      }
      ExecutorService readers = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<Integer>> ended =
            IntStream.range(0, THREADS)
                .mapToObj(seed -> readers.submit(() -> wrongReads(remote, parts, seed)))
                .toList();
        for (Future<Integer> end : ended) {
          assertThat(end.get()).isZero();
        }
      } finally {
        readers.shutdown();
      }
      assertThat(parts.lookups()).isEqualTo((long) THREADS * READS);
    }
  }

  private static int wrongReads(ByteBuffersDirectory remote, DefaultWarmParts parts, int seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    int wrong = 0;
    byte[] read = new byte[1];
    for (int i = 0; i < READS; i++) {
      int file = random.nextInt(FILES);
      String name = "file" + file;
      try (IndexInput input = remote.openInput(name, IOContext.DEFAULT)) {
        parts.copy(name, input, random.nextInt(FILE_BYTES), ByteBuffer.wrap(read), 1);
      }
      if (read[0] != file) {
        wrong++;
      }
    }
    return wrong;
  }
}
