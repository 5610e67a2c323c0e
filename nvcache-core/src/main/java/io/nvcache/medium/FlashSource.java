// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A file or a device, as {@link FlashMedium} opens it. */
record FlashSource(FlashDrive drive, CloseAction atClose, ForeignFile foreign)
    implements DriveSource {
  @Override
  public Medium open() throws IOException {
    return FlashMedium.create(drive.path(), drive.capacityBytes(), atClose, foreign);
  }

  @Override
  public String name() {
    return drive.path().toString();
  }

  @Override
  public Optional<Path> path() {
    return Optional.of(drive.path());
  }

  @Override
  public long capacityBytes() {
    return drive.capacityBytes();
  }
}
