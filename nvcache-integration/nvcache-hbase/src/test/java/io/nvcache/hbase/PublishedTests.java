// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;

/** Runs JUnit 4 classes one after the other and prints, for each, what came of it. */
final class PublishedTests {
  private PublishedTests() {}

  /**
   * Each argument is a class, or a class and the methods not to run, with commas: {@code
   * a.B,testOne}.
   */
  public static void main(String[] arguments) throws Exception {
    for (String argument : arguments) {
      String[] names = argument.split(",");
      Set<String> excluded = new HashSet<>(Arrays.asList(names).subList(1, names.length));
      Request request = Request.aClass(Class.forName(names[0])).filterWith(new Without(excluded));
      Result result = new JUnitCore().run(request);
      result
          .getFailures()
          .forEach(failure -> System.out.println("FAILED " + failure + "\n" + failure.getTrace()));
      System.out.printf(
          "RESULT %s %d %d %d%n",
          names[0], result.getRunCount(), result.getFailureCount(), result.getIgnoreCount());
    }
    System.exit(0); // HBase leaves threads.
  }

  private static final class Without extends Filter {
    private final Set<String> methods;

    Without(Set<String> methods) {
      this.methods = methods;
    }

    @Override
    public boolean shouldRun(Description description) {
      return description.isSuite() || !methods.contains(description.getMethodName());
    }

    @Override
    public String describe() {
      return "without " + methods;
    }
  }
}
