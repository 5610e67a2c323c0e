// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.nvcache.calibrate.DeviceParameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Reads the device of a medium from the file of {@code nvcache calibrate --json}. */
public final class CalibratedDevice {
  private static final String NATIVE = "native";

  private final Path file;

  /** Metrics that begin with {@code device_}, by medium. */
  private final Map<String, Map<String, Double>> media = new HashMap<>();

  private String calibrated = NATIVE;

  private CalibratedDevice(Path file) {
    this.file = file;
  }

  /**
   * The device of the medium that was calibrated.
   *
   * @throws IOException if the file can't be read
   * @throws IllegalArgumentException if it is no calibration; says why in one line
   */
  public static DeviceParameters read(Path file) throws IOException {
    CalibratedDevice reader = new CalibratedDevice(file);
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      reader.readAll(json);
    } catch (JsonProcessingException e) {
      throw reader.unusable("it is not JSON: " + e.getOriginalMessage());
    }
    return reader.device();
  }

  private void readAll(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      throw unusable("it is no array of records");
    }
    while (json.nextToken() == JsonToken.START_OBJECT) {
      readRecord(json);
    }
  }

  private void readRecord(JsonParser json) throws IOException {
    String metric = "";
    String medium = "";
    double value = Double.NaN;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (name.equals("metric")) {
        metric = json.getText();
      } else if (name.equals("value") && token.isNumeric()) {
        value = json.getDoubleValue();
      } else if (name.equals("labels") && token == JsonToken.START_OBJECT) {
        medium = mediumOf(json);
      } else {
        json.skipChildren();
      }
    }
    if (metric.equals("overhead_target")) {
      calibrated = medium;
    } else if (metric.startsWith("device_")) {
      media.computeIfAbsent(medium, unused -> new HashMap<>()).put(metric, value);
    }
  }

  private static String mediumOf(JsonParser json) throws IOException {
    String medium = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      if (name.equals("medium")) {
        medium = json.getText();
      } else {
        json.skipChildren();
      }
    }
    return medium;
  }

  private DeviceParameters device() {
    return new DeviceParameters(
        positive("device_read_bandwidth"),
        positive("device_reader_bandwidth"),
        positive("device_writer_bandwidth"),
        (int) Math.max(1, positive("device_full_speed_writers")),
        metric("device_writer_crowding"),
        metric("device_reads_slowed_by_writes"),
        metric("device_writes_slowed_by_reads"));
  }

  private double positive(String name) {
    double value = metric(name);
    if (!(value > 0)) {
      throw unusable(name + " is " + value + " and must be more than 0");
    }
    return value;
  }

  private double metric(String name) {
    Double value = media.getOrDefault(calibrated, Map.of()).get(name);
    if (value == null || !(value >= 0)) {
      throw unusable("it has no " + name + " of the medium '" + calibrated + "'");
    }
    return value;
  }

  private IllegalArgumentException unusable(String reason) {
    return new IllegalArgumentException(
        "can't use "
            + file
            + " as a calibration: "
            + reason
            + "; make it with nvcache calibrate --json");
  }
}
