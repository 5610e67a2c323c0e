// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A check whether a path names its file itself. One that leads elsewhere would have the cache
 * overwrite what another user chose; so would one that was put together from parts, one of which
 * climbs out of its directory.
 */
public final class PathChecks {
  private PathChecks() {}

  /**
   * Looks at a path.
   *
   * @param thing that it should name; the message has it
   * @return why it can't be used and what to do; null if it can
   */
  public static @Nullable String fault(Path path, String thing) {
    for (Path part : path) {
      if (part.toString().equals("..")) {
        return "it climbs up with '..'; write the path out";
      }
    }
    return Files.isSymbolicLink(path)
        ? "it is a symbolic link; name the " + thing + " itself"
        : null;
  }
}
