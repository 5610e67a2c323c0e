// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.nvcache.CraftedMedium.Part;
import io.nvcache.medium.KeySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Media that the fuzzer edits, with the sums made right: caches live on them, and an inspection
 * reads them. Misses are all that may come of it.
 */
final class MediumFuzzTest {
  private static final KeySource KEYS = new CraftedMedium.Keys();
  private static final byte[] CLEAR = CraftedMedium.image(null);
  private static final byte[] SEALED = CraftedMedium.image(KEYS);
  private static final Path FILE = file();

  private static Path file() {
    try {
      Path file = Files.createTempFile("nvcache-fuzz", ".flash");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @FuzzTest(maxExecutions = 1_000_000, maxDuration = "2h")
  void superblock(FuzzedDataProvider data) {
    live(data, Part.SUPERBLOCK);
  }

  @FuzzTest(maxExecutions = 1_000_000, maxDuration = "2h")
  void regionHeader(FuzzedDataProvider data) {
    live(data, Part.REGION_HEADER);
  }

  @FuzzTest(maxExecutions = 1_000_000, maxDuration = "2h")
  void footer(FuzzedDataProvider data) {
    live(data, Part.FOOTER);
  }

  private static void live(FuzzedDataProvider data, Part part) {
    KeySource keys = data.consumeBoolean() ? KEYS : null;
    CraftedMedium.live(edited(data, part, keys), keys, part);
  }

  @FuzzTest(maxExecutions = 1_000_000, maxDuration = "2h")
  void inspection(FuzzedDataProvider data) throws IOException {
    KeySource keys = data.consumeBoolean() ? KEYS : null;
    byte[] image = edited(data, data.pickValue(Part.values()), keys);
    Files.write(FILE, CraftedImage.flash(image));
    if (keys == null) {
      FlashInspection.of(FILE);
    } else {
      FlashInspection.of(FILE, keys);
    }
  }

  private static byte[] edited(FuzzedDataProvider data, Part part, @Nullable KeySource keys) {
    byte[] image = (keys == null ? CLEAR : SEALED).clone();
    CraftedMedium.edit(
        image,
        part,
        keys != null,
        new CraftedMedium.Choices() {
          @Override
          public int below(int bound) {
            return data.consumeInt(0, bound - 1);
          }

          @Override
          public long any() {
            return data.consumeLong();
          }
        });
    return image;
  }
}
