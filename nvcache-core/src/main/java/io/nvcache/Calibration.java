// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.LiveSettings;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The results of {@code nvcache calibrate} that a cache uses.
 *
 * @param medium the kind of medium that was measured
 * @param overheadTarget for {@link LiveSettings#setOverheadTarget(double)}; 10 where writes don't
 *     harm
 * @param writeHarm bytes that readers can't read for each byte written ({@link
 *     io.nvcache.medium.WriteCost#harm}); empty if that could not be measured
 */
public record Calibration(String medium, double overheadTarget, OptionalDouble writeHarm) {
  private static final long MAX_FILE_BYTES = 16 << 20;
  private static final String TARGET = "overhead_target";
  private static final String HARM = "write_harm";
  private static final double MAX_TARGET = 10;

  /**
   * Reads the file that {@code nvcache calibrate --json} wrote.
   *
   * @throws IOException if it can't be read; names it
   * @throws IllegalArgumentException if it is no calibration; says where and why in one line
   */
  public static Calibration read(Path file) throws IOException {
    try {
      return of(MeasuredRecords.parse(text(file)));
    } catch (IllegalArgumentException e) {
      throw unusable(file, String.valueOf(e.getMessage()));
    }
  }

  private static String text(Path file) throws IOException {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new IllegalArgumentException("it is longer than " + MAX_FILE_BYTES + " bytes");
      }
      // As any bytes: what is no text is no calibration either.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException("can't read the calibration " + file + ": " + e, e);
    }
  }

  private static Calibration of(List<MeasuredRecords.Entry> records) {
    List<MeasuredRecords.Entry> targets =
        records.stream().filter(entry -> entry.metric().equals(TARGET)).toList();
    if (targets.size() != 1) {
      throw new IllegalArgumentException(
          "it has " + targets.size() + " records of the metric " + TARGET + " instead of one");
    }
    MeasuredRecords.Entry target = targets.get(0);
    if (!(target.value() >= 0 && target.value() <= MAX_TARGET)) {
      throw new IllegalArgumentException(
          TARGET + " is " + target.value() + "; it must be between 0 and " + MAX_TARGET);
    }
    String medium = target.labels().getOrDefault("medium", "unknown");
    return new Calibration(medium, target.value(), harm(records, medium));
  }

  private static OptionalDouble harm(List<MeasuredRecords.Entry> records, String medium) {
    OptionalDouble harm =
        records.stream()
            .filter(entry -> entry.metric().equals(HARM))
            .filter(entry -> entry.labels().getOrDefault("medium", medium).equals(medium))
            .mapToDouble(MeasuredRecords.Entry::value)
            .filter(value -> !Double.isNaN(value))
            .findFirst();
    if (harm.isPresent()
        && !(harm.getAsDouble() >= 0 && harm.getAsDouble() <= WriteCost.MAX_HARM)) {
      throw new IllegalArgumentException(
          HARM + " is " + harm.getAsDouble() + "; it must be between 0 and " + WriteCost.MAX_HARM);
    }
    return harm;
  }

  private static IllegalArgumentException unusable(Path file, String reason) {
    return new IllegalArgumentException(
        "can't use " + file + " as a calibration: " + reason + "; make it with nvcache calibrate");
  }
}
