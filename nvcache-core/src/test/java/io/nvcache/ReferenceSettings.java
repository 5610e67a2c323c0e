// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.time.Duration;

/** Live settings that nothing reads, with the ranges of the contract. */
public final class ReferenceSettings implements LiveSettings {
  private double overheadTarget = 0.10;
  private long smallBypassDramBytes;
  private double smallBypassFraction = 1;
  private Duration evictionWindow = Duration.ofMinutes(30);
  private double fullTarget = 0.95;

  @Override
  public synchronized double overheadTarget() {
    return overheadTarget;
  }

  @Override
  public synchronized void overheadTarget(double ratio) {
    check(ratio >= 0 && ratio <= 10, "overheadTarget", ratio, "0 to 10");
    overheadTarget = ratio;
  }

  @Override
  public synchronized long smallBypassDramBytes() {
    return smallBypassDramBytes;
  }

  @Override
  public synchronized void smallBypassDramBytes(long bytes) {
    check(bytes >= 0, "smallBypassDramBytes", bytes, "0 or more");
    smallBypassDramBytes = bytes;
  }

  @Override
  public synchronized double smallBypassFraction() {
    return smallBypassFraction;
  }

  @Override
  public synchronized void smallBypassFraction(double ratio) {
    check(ratio > 0 && ratio <= 1, "smallBypassFraction", ratio, "more than 0, at most 1");
    smallBypassFraction = ratio;
  }

  @Override
  public synchronized Duration evictionWindow() {
    return evictionWindow;
  }

  @Override
  public synchronized void evictionWindow(Duration window) {
    long seconds = window.toSeconds();
    check(seconds >= 1 && seconds <= 365L * 86_400, "evictionWindow", window, "1 s to 365 days");
    evictionWindow = Duration.ofSeconds(seconds);
  }

  @Override
  public synchronized double fullTarget() {
    return fullTarget;
  }

  @Override
  public synchronized void fullTarget(double ratio) {
    check(ratio >= 0.01 && ratio <= 1, "fullTarget", ratio, "0.01 to 1");
    fullTarget = ratio;
  }

  private static void check(boolean good, String name, Object value, String range) {
    if (!good) {
      throw new IllegalArgumentException(name + " = " + value + " is not in the range " + range);
    }
  }
}
