// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a hunt. Each is one call, noted before it is made, counted, and judged by what it
 * throws: nothing but what the call's documentation and the arguments allow.
 */
final class Steps {
  static final Set<String> NOTHING = Set.of();
  static final Set<String> ARGUMENT = Set.of("IllegalArgumentException");
  static final Set<String> STATE = Set.of("IllegalStateException");
  static final Set<String> BOUNDS =
      Set.of("IndexOutOfBoundsException", "ArrayIndexOutOfBoundsException");
  static final Set<String> NULL = Set.of("NullPointerException");
  static final Set<String> PLANTED = Set.of("Planted", "PlantedError", "PlantedIo");

  private final StepTrace trace;
  private final AtomicReference<@Nullable Finding> found = new AtomicReference<>();
  private final Map<String, long[]> byKind = new TreeMap<>();
  private volatile long taken;
  private String last = "";
  private @Nullable Throwable thrown;

  Steps(StepTrace trace) {
    this.trace = trace;
  }

  /** A call that is made. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws Throwable;
  }

  /** A call without an answer. */
  @FunctionalInterface
  interface Act {
    void make() throws Throwable;
  }

  static Set<String> or(Set<String> one, Set<String> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    Set<String> both = new HashSet<>(one);
    both.addAll(other);
    return both;
  }

  /**
   * Makes a call and returns what it gave; null if it threw what it may ({@link #thrown} has it).
   *
   * @param kind one word, the method
   */
  <T> @Nullable T take(String kind, String arguments, Set<String> allowed, Call<T> call) {
    note(kind, arguments);
    thrown = null;
    try {
      T answer = call.make();
      requireNothingFound();
      return answer;
    } catch (Finding finding) {
      throw finding;
    } catch (Throwable e) {
      requireNothingFound();
      if (!allowed.contains(name(e))) {
        throw new Finding(last + " threw " + name(e) + "; allowed " + allowed, e);
      }
      thrown = e;
      return null;
    }
  }

  /** The same for a call without an answer. */
  void act(String kind, String arguments, Set<String> allowed, Act act) {
    Object unused =
        take(
            kind,
            arguments,
            allowed,
            () -> {
              act.make();
              return kind;
            });
  }

  private void note(String kind, String arguments) {
    last = kind + " " + arguments;
    taken++;
    trace.note(taken, last);
    byKind.computeIfAbsent(kind, unused -> new long[1])[0]++;
  }

  /** Counts calls that are part of the step, as separate steps. */
  void countMore(int calls) {
    taken += calls;
    byKind.computeIfAbsent("within races", unused -> new long[1])[0] += calls;
  }

  /** Judges what was thrown elsewhere than at a step: in another thread, in a callback. */
  void judge(String what, Throwable e, Set<String> allowed) {
    if (!allowed.contains(name(e))) {
      report(new Finding(what + " threw " + name(e) + "; allowed " + allowed, e));
    }
  }

  static String name(Throwable e) {
    return e.getClass().getSimpleName();
  }

  /** What the last step threw, if it may. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  /** Notes a finding of a thread or of a callback, whose exceptions others may swallow. */
  void report(Finding finding) {
    found.compareAndSet(null, finding);
  }

  void requireNothingFound() {
    Finding finding = found.get();
    if (finding != null) {
      throw finding;
    }
  }

  /** Ends the hunt here if something is not so. */
  void require(boolean so, String otherwise) {
    if (!so) {
      throw new Finding(last + ": " + otherwise);
    }
  }

  String last() {
    return last;
  }

  long taken() {
    return taken;
  }

  /** How often each kind of step was taken. */
  String counts() {
    StringBuilder counts = new StringBuilder();
    byKind.forEach(
        (kind, count) -> counts.append(String.format(Locale.ROOT, "%s %d%n", kind, count[0])));
    return counts.toString();
  }
}
