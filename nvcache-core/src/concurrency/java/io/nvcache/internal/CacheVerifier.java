// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.OfferResult;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.util.LincheckResult;
import org.jetbrains.kotlinx.lincheck.util.ValueResult;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Whether the answers of {@link CacheCalls} could have come from the calls made one after another,
 * in an order in which no call comes before one that had ended when it began. A cache may lose a
 * block at any time and may not know one; it must not answer with bytes that are not the latest
 * that it took for the block, nor with any after these were invalidated.
 */
public final class CacheVerifier implements Verifier {
  private static final int BLOCKS = 3;
  private static final int NOTHING = 0;

  private record Call(String method, List<Object> arguments, Object answer, int[] after) {}

  /** Lincheck makes verifiers by this signature. */
  public CacheVerifier(@SuppressWarnings("unused") Class<?> specification) {}

  @Override
  public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
    int[] values = new int[BLOCKS + 1]; // By block, and whether the cache is closed.
    if (!inOrder(scenario.getInitExecution(), results.getInitResults(), values)) {
      return false;
    }
    List<List<Call>> threads = new ArrayList<>();
    for (int i = 0; i < scenario.getParallelExecution().size(); i++) {
      threads.add(
          calls(
              scenario.getParallelExecution().get(i),
              results.getParallelResultsWithClock().get(i)));
    }
    return anyOrder(threads, new int[threads.size()], values, scenario, results);
  }

  private static List<Call> calls(List<Actor> actors, List<ResultWithClock> results) {
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < actors.size(); i++) {
      ResultWithClock result = results.get(i);
      calls.add(call(actors.get(i), result.getResult(), result.getClockOnStart().getClock()));
    }
    return calls;
  }

  private static Call call(Actor actor, LincheckResult result, int[] after) {
    Object answer = result instanceof ValueResult value ? value.getValue() : null;
    return new Call(actor.getMethod().getName(), actor.getArguments(), answer, after);
  }

  private static boolean inOrder(List<Actor> actors, List<LincheckResult> results, int[] values) {
    for (int i = 0; i < actors.size(); i++) {
      if (!makes(call(actors.get(i), results.get(i), new int[0]), values)) {
        return false;
      }
    }
    return true;
  }

  private static boolean anyOrder(
      List<List<Call>> threads,
      int[] done,
      int[] values,
      ExecutionScenario scenario,
      ExecutionResult results) {
    boolean all = true;
    for (int thread = 0; thread < threads.size(); thread++) {
      if (done[thread] == threads.get(thread).size()) {
        continue;
      }
      all = false;
      Call next = threads.get(thread).get(done[thread]);
      int[] then = values.clone();
      if (mayComeNext(next, done) && makes(next, then)) {
        int[] doneThen = done.clone();
        doneThen[thread]++;
        if (anyOrder(threads, doneThen, then, scenario, results)) {
          return true;
        }
      }
    }
    return all && inOrder(scenario.getPostExecution(), results.getPostResults(), values.clone());
  }

  private static boolean mayComeNext(Call call, int[] done) {
    for (int thread = 0; thread < done.length; thread++) {
      if (done[thread] < call.after[thread]) {
        return false;
      }
    }
    return true;
  }

  /** Carries the call out on the values; false if it could not have been answered so. */
  private static boolean makes(Call call, int[] values) {
    boolean closed = values[BLOCKS] != NOTHING;
    int first = call.arguments.isEmpty() ? 0 : (Integer) call.arguments.get(0);
    switch (call.method) {
      case "get", "pin":
        int answer = (Integer) call.answer;
        return answer == CacheCalls.MISS || (!closed && answer == values[first]);
      case "offer":
        return offers((OfferResult) call.answer, first, (Integer) call.arguments.get(1), values);
      case "invalidate":
        boolean wasThere = (Boolean) call.answer;
        boolean mayBeThere = !closed && values[first] != NOTHING;
        values[first] = NOTHING;
        return !wasThere || mayBeThere;
      case "invalidateFile":
        for (int block = 0; block < BLOCKS; block++) {
          values[block] = CacheCalls.file(block) == first ? NOTHING : values[block];
        }
        return call.answer != null;
      case "close":
        values[BLOCKS] = 1;
        return call.answer != null;
      default:
        return call.answer != null;
    }
  }

  private static boolean offers(OfferResult answer, int block, int value, int[] values) {
    boolean closed = values[BLOCKS] != NOTHING;
    switch (answer) {
      case ADMITTED:
        values[block] = value;
        return !closed;
      case ALREADY_CACHED:
        return !closed && values[block] != NOTHING;
      case CLOSED:
        return closed;
      default:
        return !closed;
    }
  }
}
