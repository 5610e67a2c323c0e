// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** A way for a medium to misbehave: what happens to which operation. */
public enum Fault {
  READ_ERROR(Operation.READ, Kind.ERROR),
  READ_THROWS(Operation.READ, Kind.UNCHECKED),
  READ_GONE(Operation.READ, Kind.GONE),
  SHORT_READ(Operation.READ, Kind.SHORT),
  /** A bit is read as another one than was written. */
  BIT_FLIP(Operation.READ, Kind.FLIP),
  SLOW_READ(Operation.READ, Kind.SLOW),
  STUCK_READ(Operation.READ, Kind.STUCK),

  WRITE_ERROR(Operation.WRITE, Kind.ERROR),
  WRITE_THROWS(Operation.WRITE, Kind.UNCHECKED),
  WRITE_GONE(Operation.WRITE, Kind.GONE),
  TORN_WRITE(Operation.WRITE, Kind.SHORT),
  FLIPPED_WRITE(Operation.WRITE, Kind.FLIP),
  /** A write finds no room, though capacity was promised. */
  OUT_OF_SPACE(Operation.WRITE, Kind.FULL),
  SLOW_WRITE(Operation.WRITE, Kind.SLOW),
  STUCK_WRITE(Operation.WRITE, Kind.STUCK),

  CHECK_ERROR(Operation.CHECK, Kind.ERROR),
  CHECK_THROWS(Operation.CHECK, Kind.UNCHECKED),
  SLOW_CHECK(Operation.CHECK, Kind.SLOW),
  STUCK_CHECK(Operation.CHECK, Kind.STUCK),

  ADDRESS_THROWS(Operation.ADDRESS, Kind.UNCHECKED),
  SLOW_ADDRESS(Operation.ADDRESS, Kind.SLOW),
  STUCK_ADDRESS(Operation.ADDRESS, Kind.STUCK),

  PERSIST_ERROR(Operation.PERSIST, Kind.ERROR),
  PERSIST_THROWS(Operation.PERSIST, Kind.UNCHECKED),
  SLOW_PERSIST(Operation.PERSIST, Kind.SLOW),
  STUCK_PERSIST(Operation.PERSIST, Kind.STUCK);

  /** What it happens to. */
  public enum Operation {
    READ,
    WRITE,
    CHECK,
    /** Asking where an extent lies in memory. */
    ADDRESS,
    PERSIST
  }

  /** What happens. */
  public enum Kind {
    /** It throws what a medium may throw. */
    ERROR,
    /** It throws what no medium should. */
    UNCHECKED,
    /** It throws as the JVM does where a mapping's file was cut short. */
    GONE,
    /** It does the first half and says nothing. */
    SHORT,
    /** One bit is another one. */
    FLIP,
    /** It does half and finds the disk full. */
    FULL,
    /** It takes long. */
    SLOW,
    /** It does not return until it is let go. */
    STUCK
  }

  private final Operation operation;
  private final Kind kind;

  Fault(Operation operation, Kind kind) {
    this.operation = operation;
    this.kind = kind;
  }

  public Operation operation() {
    return operation;
  }

  public Kind kind() {
    return kind;
  }
}
