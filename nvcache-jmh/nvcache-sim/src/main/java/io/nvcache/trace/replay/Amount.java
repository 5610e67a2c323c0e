// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

/** A figure, and how it was written: that is its name in tables and records. */
public final class Amount {
  private final String text;
  private final double value;
  private final boolean isShare;

  private Amount(String text, double value, boolean isShare) {
    this.text = text;
    this.value = value;
    this.isShare = isShare;
  }

  /** A number. */
  public static Amount number(String text, double value) {
    return new Amount(text, value, false);
  }

  /** A part of something, as a ratio. */
  public static Amount share(String text, double ratio) {
    return new Amount(text, ratio, true);
  }

  /** As it was written. */
  public String text() {
    return text;
  }

  /** The number or the ratio. */
  public double value() {
    return value;
  }

  /** The number, given the whole of which it may be a share; rounded down. */
  public long of(long whole) {
    return (long) (isShare ? value * whole : value);
  }
}
