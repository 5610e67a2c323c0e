// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Linux counts for a process.
 *
 * @param readBytes bytes that read calls returned, from files and pipes, whether cached or not
 * @param readCalls how many such calls there were
 */
record ProcessIo(long readBytes, long readCalls) {
  static ProcessIo of(long pid) throws IOException {
    Map<String, Long> counts =
        Files.readAllLines(Path.of("/proc/" + pid + "/io")).stream()
            .map(line -> line.split(": ", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> Long.parseLong(pair[1])));
    return new ProcessIo(counts.get("rchar"), counts.get("syscr"));
  }

  ProcessIo minus(ProcessIo earlier) {
    return new ProcessIo(readBytes - earlier.readBytes, readCalls - earlier.readCalls);
  }
}
