// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;

/** Makes media of a kind that this module does not know, for hunts of other modules. */
public interface MediumMaker {
  /** Makes one that is open. */
  Medium make(Path file, long capacityBytes) throws IOException;
}
