// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.nio.charset.StandardCharsets;

/**
 * The field values that YCSB's CoreWorkload writes, and checks, when {@code dataintegrity} is on:
 * the key and the field's name, then the hash of all text so far, again and again, cut to length.
 */
final class DeterministicFields {
  private DeterministicFields() {}

  /** The name of a record's nth field. */
  static String name(int index) {
    return "field" + index;
  }

  /** The index in a name that {@link #name} made, or −1. */
  static int index(String name) {
    if (!name.startsWith("field")) {
      return -1;
    }
    try {
      return Integer.parseInt(name.substring("field".length()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The value that belongs into a field of a record. */
  static byte[] value(String key, String fieldName, int lengthBytes) {
    StringBuilder text = new StringBuilder(lengthBytes + 16);
    text.append(key).append(':').append(fieldName);
    int hash = 0;
    int hashed = 0;
    while (text.length() < lengthBytes) {
      text.append(':');
      // String.hashCode of all text so far, carried on from the last round.
      for (; hashed < text.length(); hashed++) {
        hash = 31 * hash + text.charAt(hashed);
      }
      text.append(hash);
    }
    text.setLength(lengthBytes);
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
