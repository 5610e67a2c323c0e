// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.control.CacheControl;
import io.nvcache.control.TuningBounds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import javax.management.ImmutableDescriptor;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a cache's bean. All change something and return nothing.
 *
 * @param description what it does, for consoles
 * @param action carries it out with the arguments that a client gave
 */
record Operation(
    String name,
    String description,
    List<MBeanParameterInfo> parameters,
    BiConsumer<CacheControl, List<?>> action) {

  static final List<Operation> ALL =
      List.of(
          new Operation(
              "takeOutOfService",
              "Takes the cache out of service until returnToService: lookups miss, offers"
                  + " are refused.",
              List.of(
                  parameter(
                      "reason",
                      SimpleType.STRING,
                      "java.lang.String",
                      "Why: for the log and OutOfServiceReason.")),
              (control, given) -> control.takeOutOfService((String) given.get(0))),
          new Operation(
              "returnToService",
              "Ends what took the cache out of service, without waiting any longer.",
              List.of(),
              (control, given) -> control.returnToService()),
          new Operation(
              "startTuning",
              "Starts to move OverheadTargetPercent by itself, and takes the shadows for it.",
              List.of(
                  parameter(
                      "leastPercent",
                      SimpleType.DOUBLE,
                      "double",
                      "The lowest target, in percent: 0.1 to 1000."),
                  parameter(
                      "mostPercent",
                      SimpleType.DOUBLE,
                      "double",
                      "The highest target, in percent: above the lowest, at most 1000."),
                  parameter(
                      "missMicros",
                      SimpleType.LONG,
                      "long",
                      "What a miss costs beyond a hit, in microseconds: 1 to 1000000.")),
              (control, given) ->
                  control
                      .tuning()
                      .start(
                          new TuningBounds(
                              (double) given.get(0) / 100,
                              (double) given.get(1) / 100,
                              Duration.of((long) given.get(2), ChronoUnit.MICROS)))),
          new Operation(
              "stopTuning",
              "Ends the tuning; OverheadTargetPercent stays where it is.",
              List.of(),
              (control, given) -> control.tuning().stop()),
          new Operation(
              "resetShadows",
              "Starts the shadows again; what they have counted is gone.",
              List.of(),
              (control, given) -> control.shadows().reset()));

  private static MBeanParameterInfo parameter(
      String name, SimpleType<?> open, String original, String description) {
    return new MBeanParameterInfo(
        name,
        original,
        description,
        new ImmutableDescriptor(
            new String[] {"openType", "originalType"}, new Object[] {open, original}));
  }

  boolean matches(String called, String[] signature) {
    return name.equals(called)
        && Arrays.equals(signature, parameters.stream().map(MBeanParameterInfo::getType).toArray());
  }

  /**
   * Returns the arguments that a client gave, with text that may go to a log.
   *
   * @throws IllegalArgumentException if one is of another type, or missing
   */
  List<?> taken(@Nullable Object[] given) {
    if (given.length != parameters.size()) {
      throw new IllegalArgumentException(
          name + " takes " + parameters.size() + " arguments; " + given.length + " were given");
    }
    Object[] taken = new Object[given.length];
    for (int i = 0; i < given.length; i++) {
      MBeanParameterInfo parameter = parameters.get(i);
      OpenType<?> type = (OpenType<?>) parameter.getDescriptor().getFieldValue("openType");
      Object argument = given[i];
      if (type.equals(SimpleType.STRING)) { // Consoles send null for no argument.
        argument = ClientText.of(Objects.requireNonNullElse(argument, ""));
      } else if (!type.isValue(argument)) {
        throw new IllegalArgumentException(
            parameter.getName()
                + " is "
                + ClientText.of(argument)
                + "; "
                + parameter.getDescription());
      }
      taken[i] = argument;
    }
    return List.of(taken);
  }

  /** Returns a call of it in words. */
  String words(List<?> arguments) {
    return name
        + arguments.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
  }

  MBeanOperationInfo info() {
    return new MBeanOperationInfo(
        name,
        description,
        parameters.toArray(MBeanParameterInfo[]::new),
        "void",
        MBeanOperationInfo.ACTION,
        new ImmutableDescriptor(
            new String[] {"openType", "originalType"}, new Object[] {SimpleType.VOID, "void"}));
  }
}
