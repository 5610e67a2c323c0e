// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

/** The JDK's exceptions for buffers that can't be used, with the words that it gives them none. */
public final class BufferRefusals {
  private BufferRefusals() {}

  /** A buffer that bytes were to be written to. */
  public static java.nio.ReadOnlyBufferException readOnly() {
    return new ReadOnlyBufferException();
  }

  /** A buffer with less room than a block needs. */
  public static java.nio.BufferOverflowException tooSmall(int lengthBytes, int roomBytes) {
    return new BufferOverflowException(lengthBytes, roomBytes);
  }

  private static final class ReadOnlyBufferException extends java.nio.ReadOnlyBufferException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      return "the buffer is read-only; give one that the block's bytes can be written to";
    }
  }

  private static final class BufferOverflowException extends java.nio.BufferOverflowException {
    private static final long serialVersionUID = 1;

    private final int lengthBytes;
    private final int roomBytes;

    BufferOverflowException(int lengthBytes, int roomBytes) {
      this.lengthBytes = lengthBytes;
      this.roomBytes = roomBytes;
    }

    @Override
    public String getMessage() {
      return "the block has "
          + lengthBytes
          + " bytes, and the buffer has room for "
          + roomBytes
          + "; give it as much, or read a part of the block with getRange";
    }
  }
}
