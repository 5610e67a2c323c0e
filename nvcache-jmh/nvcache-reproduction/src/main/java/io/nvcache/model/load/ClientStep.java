// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

/** What a client does next; one object for each client, filled again and again. */
public final class ClientStep {
  /** Kinds of operation. */
  public enum Kind {
    READ,
    UPDATE,
    INSERT,
    SCAN
  }

  /** What is done. */
  public Kind kind = Kind.READ;

  /** To which page; the first one of a scan. */
  public int page;

  /** How many pages. */
  public int pages = 1;
}
