// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/**
 * One of several drives that a cache lies on.
 *
 * @param name its path
 * @param capacityBytes of its blocks
 * @param trouble why it is lost; empty while it serves
 */
public record DriveHealth(String name, long capacityBytes, String trouble) {
  /** Returns whether it is read and written. */
  public boolean serves() {
    return trouble.isEmpty();
  }

  /** Returns one line: the name, the state, and what is wrong. */
  @Override
  public String toString() {
    return name + ": " + (serves() ? "serving" : "lost: " + trouble);
  }
}
