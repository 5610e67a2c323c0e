// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.device.MediumChoice;
import io.nvcache.device.NvramSpeeds;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options that say what and where a medium is, checked against each other.
 *
 * @param choice the kind
 * @param path where, for those that have a place
 * @param nvramScale speed of the emulated NVRAM
 */
public record MediumOptions(MediumChoice choice, @Nullable Path path, double nvramScale) {
  public static MediumOptions read(
      OptionReader reader, String medium, @Nullable Path path, @Nullable String nvramScale) {
    MediumChoice choice =
        reader.oneOf("--medium", medium, MediumChoice.values(), MediumChoice::label);
    checkPath(reader, choice, path);
    return new MediumOptions(choice, path, readScale(reader, choice, nvramScale));
  }

  /** The same, with a place for LLPL's heap where none was named. */
  public static MediumOptions read(
      OptionReader reader,
      String medium,
      @Nullable Path path,
      @Nullable String nvramScale,
      Path directory) {
    boolean unnamed = path == null && medium.strip().equalsIgnoreCase(MediumChoice.LLPL.label());
    Path place =
        unnamed ? directory.resolve("nvcache-heap-" + ProcessHandle.current().pid()) : path;
    return read(reader, medium, place, nvramScale);
  }

  private static void checkPath(OptionReader reader, MediumChoice choice, @Nullable Path path) {
    if (choice.isMemory()) {
      if (path != null) {
        throw reader.bad(
            "--path",
            path.toString(),
            "left out unless --medium is " + MediumChoice.labelsInFiles("or"));
      }
      return;
    }
    if (path == null) {
      throw reader.bad(
          "--path", "", "a new file for --medium " + choice.label() + ", on the medium to be used");
    }
    if (choice == MediumChoice.LLPL && Files.isDirectory(path)) {
      return;
    }
    if (Files.exists(path) || !Files.isDirectory(RecordOptions.parentOf(path))) {
      throw reader.bad("--path", path.toString(), "a new file in a directory that exists");
    }
  }

  public static double readScale(
      OptionReader reader, MediumChoice choice, @Nullable String nvramScale) {
    if (nvramScale == null) {
      return 1;
    }
    if (choice != MediumChoice.EMULATED_NVRAM) {
      throw reader.bad("--nvram-scale", nvramScale, "left out unless --medium is emulated-nvram");
    }
    return reader.decimal(
        "--nvram-scale", nvramScale, NvramSpeeds.MIN_SCALE, NvramSpeeds.MAX_SCALE);
  }
}
