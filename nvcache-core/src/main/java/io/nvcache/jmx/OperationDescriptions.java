// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.util.List;
import java.util.Map;

/** What each operation of {@link NvCacheMXBean} does and takes, in words for a console. */
final class OperationDescriptions {
  /**
   * One parameter.
   *
   * @param name as in {@link NvCacheMXBean}; class files need not have it
   * @param description with the unit and the range
   */
  record Parameter(String name, String description) {}

  private record Operation(String description, List<Parameter> parameters) {
    Operation(String description, Parameter... parameters) {
      this(description, List.of(parameters));
    }
  }

  private static final Map<String, Operation> BY_NAME =
      Map.of(
          "takeOutOfService",
          new Operation(
              "Takes the cache out of service until returnToService: lookups miss, offers"
                  + " are refused.",
              new Parameter("reason", "Why, for the log and OutOfServiceReason.")),
          "returnToService",
          new Operation("Ends what took the cache out of service, without waiting any longer."),
          "startTuning",
          new Operation(
              "Starts to move OverheadTargetPercent by itself, and takes the shadows for it.",
              new Parameter("leastPercent", "The lowest target, in percent: 0.1 to 1000."),
              new Parameter(
                  "mostPercent", "The highest target, in percent: above the lowest, at most 1000."),
              new Parameter(
                  "missMicros", "What a miss costs beyond a hit, in microseconds: 1 to 1000000.")),
          "stopTuning",
          new Operation("Ends the tuning; OverheadTargetPercent stays where it is."),
          "resetShadows",
          new Operation("Starts the shadows anew; what they have counted is gone."));

  private OperationDescriptions() {}

  static String of(String operation) {
    Operation known = BY_NAME.get(operation);
    return known == null ? operation : known.description;
  }

  static Parameter parameter(String operation, int sequence) {
    Operation known = BY_NAME.get(operation);
    return known == null || sequence >= known.parameters.size()
        ? new Parameter("p" + sequence, "")
        : known.parameters.get(sequence);
  }
}
