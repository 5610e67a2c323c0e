// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Opens a drive of a {@link ArrayMedium}, also again once it was lost. */
public interface DriveSource {
  /** Opens what lies there; throws if it can't be used. */
  Medium open() throws IOException;

  /** Returns its path, or what else it is called. */
  String name();

  /** Returns the file or device, if it is one. */
  Optional<Path> path();

  /** Returns the bytes that may be used of it. */
  long capacityBytes();
}
