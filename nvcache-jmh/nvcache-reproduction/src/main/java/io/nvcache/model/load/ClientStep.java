// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

import io.nvcache.Source;

/** What a client does next; one object for each client, filled again and again. */
public final class ClientStep {
  /** Kinds of operation. */
  public enum Kind {
    READ,
    UPDATE,
    INSERT,
    SCAN,
    /** The page is written to a fresh block at once: what a block manager sees of an update. */
    WRITE,
    /** The block of the page is gone. */
    FREE,
    /** There is none any more. */
    END
  }

  /** What is done. */
  public Kind kind = Kind.END;

  /** What the block of the first page is offered as. */
  public Source source = Source.READ;

  /** To which page; the first one of a scan. */
  public int page;

  /** How many pages. */
  public int pages = 1;
}
