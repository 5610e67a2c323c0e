// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static io.nvcache.memory.UringCalls.EAGAIN;
import static io.nvcache.memory.UringCalls.EBUSY;
import static io.nvcache.memory.UringCalls.EINTR;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads of a file that the kernel makes at the same time, by io_uring: they are put in a queue that
 * it shares with the process, and one system call hands them over and waits for all of them. For
 * one thread at a time.
 *
 * <p><b>Invariant.</b> When {@link #read} returns, the kernel writes to none of the buffers any
 * more, whatever failed. As long as that is not known it does not return, as a plain read of a
 * drive that does not answer.
 *
 * <pre>
 *   memory that the kernel shares, at places that it names; see io_uring_setup(2)
 *     the reads:        head (it moves) · tail (we move) · numbers of entries
 *     what came of it:  head (we move) · tail (it moves) · completions
 *     the entries
 * </pre>
 */
public final class ReadRing {
  /** The most reads that are made at once. */
  public static final int MOST = 64;

  // struct io_uring_params.
  private static final int PARAMETERS_BYTES = 120;
  private static final int ENTRIES = 0;
  private static final int COMPLETIONS = 4;
  private static final int FEATURES = 20;
  private static final int OF_ENTRIES = 40;
  private static final int OF_COMPLETIONS = 80;

  // struct io_sqring_offsets, and struct io_cqring_offsets.
  private static final int HEAD = 0;
  private static final int TAIL = 4;
  private static final int MASK = 8;
  private static final int COMPLETION_ARRAY = 20;
  private static final int NUMBER_ARRAY = 24;

  /** Both rings are mapped at once, and no completion is dropped: Linux 5.5 has both. */
  private static final int FEATURES_WANTED = 3;

  private static final long MAPPED_RINGS = 0;
  private static final long MAPPED_ENTRIES = 0x1000_0000;

  // struct io_uring_sqe.
  private static final int ENTRY_SHIFT = 6;
  private static final int ENTRY_FILE = 4;
  private static final int ENTRY_POSITION = 8;
  private static final int ENTRY_ADDRESS = 16;
  private static final int ENTRY_LENGTH = 24;
  private static final int ENTRY_NAME = 32;
  private static final byte READ = 22;

  // struct io_uring_cqe.
  private static final int COMPLETION_SHIFT = 4;
  private static final int COMPLETION_RESULT = 8;

  /** Instead of a result: there is none yet. */
  private static final int NONE = Integer.MIN_VALUE;

  /** How often in a row the kernel may take no read before the rest is taken back. */
  private static final int MOST_REFUSALS = 8;

  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final UringCalls kernel;
  private final int descriptor;
  private final int file;
  private final UringCalls.Entrance entrance;
  private final Mapped rings;
  private final Mapped entries;
  private final long entryHead;
  private final long entryTail;
  private final int entryMask;
  private final long completionHead;
  private final long completionTail;
  private final int completionMask;
  private final long completions;
  private final int[] lengths = new int[MOST];
  private final int[] results = new int[MOST];
  private int size;

  /** Counts the calls; its completions carry it, and no other call's count. */
  private int call;

  /** Reads of the call that may be under way, or that the kernel is to take yet. */
  private int pending;

  private boolean failed;

  /** Memory that the kernel shares. */
  private record Mapped(long address, long lengthBytes) {}

  private ReadRing(UringCalls kernel, int descriptor, int file, long parameters)
      throws IOException {
    if ((RawMemory.getInt(parameters + FEATURES) & FEATURES_WANTED) != FEATURES_WANTED) {
      throw new IOException("io_uring needs Linux 5.6 or later");
    }
    this.kernel = kernel;
    this.descriptor = descriptor;
    this.file = file;
    this.entrance = kernel.entrance(descriptor);
    int entryCount = RawMemory.getInt(parameters + ENTRIES);
    long numbers = RawMemory.getInt(parameters + OF_ENTRIES + NUMBER_ARRAY);
    long array = RawMemory.getInt(parameters + OF_COMPLETIONS + COMPLETION_ARRAY);
    long completionCount = RawMemory.getInt(parameters + COMPLETIONS);
    this.rings =
        map(
            MAPPED_RINGS,
            Math.max(
                numbers + (long) entryCount * Integer.BYTES,
                array + (completionCount << COMPLETION_SHIFT)));
    this.entries = map(MAPPED_ENTRIES, (long) entryCount << ENTRY_SHIFT, rings);
    this.entryHead = place(parameters + OF_ENTRIES + HEAD);
    this.entryTail = place(parameters + OF_ENTRIES + TAIL);
    this.entryMask = RawMemory.getInt(place(parameters + OF_ENTRIES + MASK));
    this.completionHead = place(parameters + OF_COMPLETIONS + HEAD);
    this.completionTail = place(parameters + OF_COMPLETIONS + TAIL);
    this.completionMask = RawMemory.getInt(place(parameters + OF_COMPLETIONS + MASK));
    this.completions = rings.address + array;
    for (int i = 0; i < entryCount; i++) { // Each number is that of the entry at its place.
      RawMemory.putInt(rings.address + numbers + (long) i * Integer.BYTES, i);
    }
  }

  /**
   * Makes a ring.
   *
   * @param file the descriptor of the file
   * @throws IOException if the kernel refuses, or has an older io_uring; says why
   */
  static ReadRing open(UringCalls kernel, int file) throws IOException {
    try (OffHeapBytes parameters = OffHeapBytes.zeroed(PARAMETERS_BYTES, Long.BYTES)) {
      int descriptor = kernel.setup(MOST, parameters.address());
      if (descriptor < 0) {
        throw new IOException("the kernel refuses io_uring: " + kernel.text(-descriptor));
      }
      try {
        return new ReadRing(kernel, descriptor, file, parameters.address());
      } catch (IOException | RuntimeException | Error e) {
        kernel.close(descriptor);
        throw e;
      }
    }
  }

  private Mapped map(long offset, long lengthBytes, Mapped... before) throws IOException {
    long address = kernel.map(descriptor, lengthBytes, offset);
    if (address < 0) {
      for (Mapped mapped : before) {
        kernel.unmap(mapped.address, mapped.lengthBytes);
      }
      throw new IOException("can't map memory of io_uring: " + kernel.text((int) -address));
    }
    return new Mapped(address, lengthBytes);
  }

  private long place(long named) {
    return rings.address + RawMemory.getInt(named);
  }

  /** Forgets the reads of the call before. */
  public void clear() {
    size = 0;
  }

  /** Returns whether there is no room for another read. */
  public boolean isFull() {
    return size == MOST;
  }

  /**
   * Adds a read.
   *
   * @param address of the memory to read into, aligned as direct reads want it, which stays
   *     allocated until {@link #read} has returned
   */
  public void add(long position, long address, int lengthBytes) {
    if (isFull()) {
      throw new IllegalStateException("there are " + size + " reads; read them first");
    }
    int tail = RawMemory.getInt(entryTail) + size;
    long entry = entries.address + ((long) (tail & entryMask) << ENTRY_SHIFT);
    RawMemory.fill(entry, 1 << ENTRY_SHIFT, (byte) 0);
    RawMemory.putByte(entry, READ);
    RawMemory.putInt(entry + ENTRY_FILE, file);
    RawMemory.putLong(entry + ENTRY_POSITION, position);
    RawMemory.putLong(entry + ENTRY_ADDRESS, address);
    RawMemory.putInt(entry + ENTRY_LENGTH, lengthBytes);
    RawMemory.putLong(entry + ENTRY_NAME, (long) call << Integer.SIZE | size);
    lengths[size] = lengthBytes;
    size++;
  }

  /** Makes the reads that were added; returns when none of them is under way any more. */
  public void read() {
    Arrays.fill(results, 0, size, NONE);
    pending = size;
    int end = RawMemory.getInt(entryTail) + size;
    RawMemory.putIntRelease(entryTail, end);
    boolean interrupted = false;
    int refusals = 0;
    while (pending > 0) {
      int waiting = end - RawMemory.getIntVolatile(entryHead); // For the kernel to take them.
      int answer = entrance.enter(waiting, pending, UringCalls.GET_EVENTS);
      int left = end - RawMemory.getIntVolatile(entryHead);
      if (reap() || left < waiting) {
        refusals = 0;
      } else if (left > 0 && (!isTemporary(answer) || ++refusals == MOST_REFUSALS)) {
        end -= left;
        RawMemory.putIntRelease(entryTail, end); // The kernel looks at it in the call only.
        pending -= left;
        failed |= !isTemporary(answer);
      } else if (answer != -EINTR) { // What is under way can't be waited for, or not now.
        failed |= !isTemporary(answer);
        interrupted |= Thread.interrupted(); // Or it would not park.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    call++;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isTemporary(int answer) {
    return answer >= 0 || answer == -EAGAIN || answer == -EBUSY || answer == -EINTR;
  }

  /** Takes what is complete; returns whether there was any. */
  private boolean reap() {
    int head = RawMemory.getInt(completionHead);
    int tail = RawMemory.getIntVolatile(completionTail);
    int before = pending;
    for (; head != tail; head++) {
      long completion = completions + ((long) (head & completionMask) << COMPLETION_SHIFT);
      long name = RawMemory.getLong(completion);
      int number = (int) name;
      if ((int) (name >>> Integer.SIZE) == call && number < size && results[number] == NONE) {
        results[number] = RawMemory.getInt(completion + COMPLETION_RESULT);
        pending--;
      }
    }
    RawMemory.putIntRelease(completionHead, head);
    return pending < before;
  }

  /** Returns whether the last call brought all bytes of the read that was added at a number. */
  public boolean isRead(int number) {
    return results[number] == lengths[number];
  }

  /** Returns the system's text for why a read brought nothing, or its bytes. */
  String result(int number) {
    int result = results[number];
    return result == NONE
        ? "the kernel did not take it"
        : result < 0 ? kernel.text(-result) : result + " bytes";
  }

  /** Returns whether it can be used again: no read is under way, and no call failed for good. */
  boolean isUsable() {
    return pending == 0 && !failed;
  }

  /** Returns whether reads are under way: a call ended before it had waited for them. */
  boolean isBusy() {
    return pending > 0;
  }

  /** Gives all back to the kernel; no thread is inside. */
  void close() {
    kernel.unmap(entries.address, entries.lengthBytes);
    kernel.unmap(rings.address, rings.lengthBytes);
    kernel.close(descriptor);
  }
}
