// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * Runs Lincheck in a JVM of its own: {@code model|stress index|buffer|cache|closing
 * [broken]}, and ends
 * with an error if it finds a history that can't be.
 */
final class LincheckRun {
  /** What takes longer is held to be endless; some loops of the engine go over all counters. */
  private static final int LONGEST_LOOP = 10_000;

  private LincheckRun() {}

  public static void main(String[] arguments) {
    boolean broken = arguments.length > 2;
    boolean model = arguments[0].equals("model");
    int iterations = Integer.getInteger("nvcache.test.lincheckIterations", 20);
    switch (arguments[1]) {
      case "index" -> {
        Class<?> calls = broken ? IndexCalls.Broken.class : IndexCalls.class;
        Class<?> specification = IndexCalls.Specification.class;
        if (model) {
          model(iterations)
              .addCustomScenario(reuse(calls, "insert", "find", "remove"))
              .sequentialSpecification(specification)
              .check(calls);
        } else {
          stress(iterations).sequentialSpecification(specification).check(calls);
        }
      }
      case "buffer" -> {
        Class<?> specification = BufferCalls.Specification.class;
        if (model) {
          model(iterations)
              .addCustomScenario(overwrite())
              .sequentialSpecification(specification)
              .check(BufferCalls.class);
        } else {
          stress(iterations).sequentialSpecification(specification).check(BufferCalls.class);
        }
      }
      case "cache", "closing" -> {
        Class<?> calls = arguments[1].equals("cache") ? CacheCalls.class : CacheCalls.Shutdown.class;
        if (model) {
          model(iterations)
              .addCustomScenario(reuse(calls, "offer", "get", "invalidate"))
              .verifier(CacheVerifier.class)
              .check(calls);
        } else {
          stress(iterations).verifier(CacheVerifier.class).check(calls);
        }
      }
      default -> throw new IllegalArgumentException(arguments[1]);
    }
    System.out.println("nothing that can't be");
    System.exit(0);
  }

  /** A place that passes to another block under its reader: tried first, whatever is made up. */
  private static ExecutionScenario reuse(
      Class<?> calls, String put, String get, String takeOut) {
    return new ExecutionScenario(
        List.of(call(calls, put, 0, 5)),
        List.of(
            List.of(call(calls, get, 0)),
            List.of(call(calls, takeOut, 0), call(calls, put, 1, 9))),
        List.of(),
        validation(calls));
  }

  /** A block in the buffer of the regions whose place is taken under its reader. */
  private static ExecutionScenario overwrite() {
    Class<?> calls = BufferCalls.class;
    return new ExecutionScenario(
        List.of(
            call(calls, "begin"),
            call(calls, "fill", 5),
            call(calls, "begin"),
            call(calls, "fill", 6)),
        List.of(
            List.of(call(calls, "read", 0)), List.of(call(calls, "begin"), call(calls, "fill", 7))),
        List.of(),
        validation(calls));
  }

  private static Actor validation(Class<?> calls) {
    return Arrays.stream(calls.getMethods())
        .filter(method -> method.isAnnotationPresent(Validate.class))
        .map(method -> new Actor(method, List.of()))
        .findFirst()
        .orElseThrow();
  }

  private static Actor call(Class<?> calls, String name, Integer... arguments) {
    Method method =
        Arrays.stream(calls.getMethods())
            .filter(any -> any.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return new Actor(method, List.of((Object[]) arguments));
  }

  private static ModelCheckingOptions model(int iterations) {
    return new ModelCheckingOptions()
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(LincheckRun::isBelowTheModel)
                .allMethods()
                .ignore())
        .loopBound(LONGEST_LOOP)
        .minimizeFailedScenario(false)
        .threads(2)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .iterations(iterations)
        .invocationsPerIteration(Integer.getInteger("nvcache.test.lincheckInvocations", 1000));
  }

  /** Native memory itself, and libraries of which only memory is wanted. */
  private static boolean isBelowTheModel(String name) {
    return name.equals(RawMemory.class.getName())
        || name.equals(OffHeapBytes.class.getName())
        || name.startsWith("net.openhft.")
        || name.startsWith("org.slf4j.");
  }

  private static StressOptions stress(int iterations) {
    return new StressOptions()
        .minimizeFailedScenario(false)
        .threads(3)
        .actorsBefore(2)
        .actorsPerThread(3)
        .actorsAfter(2)
        .iterations(iterations)
        .invocationsPerIteration(Integer.getInteger("nvcache.test.lincheckInvocations", 2000));
  }
}
