// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** What a file must hold by what was acknowledged. */
final class FileModel {
  private byte[] bytes = new byte[0];
  private int length;

  /** Bytes that a failed write may have changed. */
  private final BitSet open = new BitSet();

  /** The longest that a failed write may have made it. */
  private int openLength;

  /** Whether the file must be there; one that was created and never written may be lost. */
  private boolean durable;

  static FileModel of(byte[] content) {
    FileModel model = new FileModel();
    model.bytes = content;
    model.length = content.length;
    model.openLength = content.length;
    model.durable = true;
    return model;
  }

  FileModel copy() {
    FileModel copy = new FileModel();
    copy.bytes = bytes.clone();
    copy.length = length;
    copy.open.or(open);
    copy.openLength = openLength;
    copy.durable = durable;
    return copy;
  }

  int length() {
    return length;
  }

  boolean isDurable() {
    return durable;
  }

  void durable() {
    durable = true;
  }

  void write(byte[] source, int at) {
    room(at + source.length);
    if (at > length) {
      Arrays.fill(bytes, length, at, (byte) 0);
      if (openLength > length) {
        open.set(length, Math.min(at, openLength));
      }
    }
    System.arraycopy(source, 0, bytes, at, source.length);
    open.clear(at, at + source.length);
    if (at + source.length > length) {
      if (openLength > at + source.length) {
        open.set(at + source.length, openLength);
      } else {
        openLength = at + source.length;
      }
      length = at + source.length;
    }
    durable = true;
  }

  /** The write failed, so it may have happened in part. */
  void failed(int at, int count) {
    room(at + count);
    open.set(at, at + count);
    openLength = Math.max(openLength, at + count);
  }

  void truncate(int to) {
    length = Math.min(length, to);
    openLength = length;
    open.clear(length, Math.max(length, open.length()));
    durable = true;
  }

  private void room(int count) {
    if (bytes.length < count) {
      bytes = Arrays.copyOf(bytes, Math.max(count, 2 * bytes.length));
    }
  }

  /** Returns what is wrong with {@code count} bytes that were read; null if nothing is. */
  @Nullable String readFault(byte[] read, int at, int count) {
    int got = Math.max(0, count);
    if (got < Math.min(read.length, length - at) || at + got > Math.max(at, openLength)) {
      return got + " bytes came, of a file of " + length;
    }
    for (int i = at; i < Math.min(at + got, length); i++) {
      if (read[i - at] != bytes[i] && !open.get(i)) {
        return "byte " + i + " of " + length + " is " + read[i - at] + " instead of " + bytes[i];
      }
    }
    return null;
  }

  /** Returns what is wrong with the bytes of a file; null if nothing is. */
  @Nullable String fault(byte[] actual) {
    if (actual.length < length || actual.length > openLength) {
      return "its length is " + actual.length + " instead of " + length;
    }
    for (int i = 0; i < length; i++) {
      if (actual[i] != bytes[i] && !open.get(i)) {
        return "byte " + i + " of " + length + " is " + actual[i] + " instead of " + bytes[i];
      }
    }
    return null;
  }
}
