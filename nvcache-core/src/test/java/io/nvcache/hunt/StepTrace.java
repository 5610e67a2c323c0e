// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last steps of a process, in a mapped file: what was written there is in the file when the
 * process is no more, however it ended.
 */
final class StepTrace {
  private static final int LINES = 64;
  private static final int LINE_BYTES = 240;
  private static final int NUMBER_BYTES = Long.BYTES;
  private static final int RECORD_BYTES = NUMBER_BYTES + LINE_BYTES;

  private final MappedByteBuffer lines;
  private final byte[] line = new byte[LINE_BYTES];
  private int next;

  StepTrace(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      lines = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) LINES * RECORD_BYTES);
    }
  }

  /**
   * Notes what is about to be done.
   *
   * @param number of the step; they ascend
   */
  void note(long number, String what) {
    int length = Math.min(what.length(), LINE_BYTES);
    for (int i = 0; i < length; i++) {
      line[i] = (byte) what.charAt(i);
    }
    for (int i = length; i < LINE_BYTES; i++) {
      line[i] = ' ';
    }
    int at = next * RECORD_BYTES;
    next = (next + 1) % LINES;
    lines.put(at + NUMBER_BYTES, line);
    lines.putLong(at, number);
  }

  /** The last steps that a process noted, the latest last. */
  static List<String> read(Path file) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
    Map<Long, String> steps = new TreeMap<>();
    for (int at = 0; at < all.capacity(); at += RECORD_BYTES) {
      byte[] text = new byte[LINE_BYTES];
      all.get(at + NUMBER_BYTES, text);
      steps.put(all.getLong(at), new String(text, US_ASCII).strip());
    }
    steps.remove(0L); // Not written to.
    List<String> told = new ArrayList<>();
    steps.forEach((number, what) -> told.add(number + ": " + what));
    return told;
  }

  /** How many steps a process noted. */
  static long count(Path file) throws IOException {
    return Files.exists(file) ? lastNumber(ByteBuffer.wrap(Files.readAllBytes(file))) : 0;
  }

  private static long lastNumber(ByteBuffer all) {
    long last = 0;
    for (int i = 0; i < all.capacity() / RECORD_BYTES; i++) {
      last = Math.max(last, all.getLong(i * RECORD_BYTES));
    }
    return last;
  }
}
