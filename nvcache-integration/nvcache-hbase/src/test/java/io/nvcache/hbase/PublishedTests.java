// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.RunListener;

/** Runs JUnit 4 classes one after the other and prints, for each, what came of it. */
final class PublishedTests {
  private static final String GETS = "gets:";

  private PublishedTests() {}

  /**
   * Each argument is a class, or a class and the methods not to run, with commas: {@code
   * a.B,testOne}. Behind {@code gets:} a class runs as if all it reads were for gets.
   */
  public static void main(String[] arguments) throws Exception {
    for (String argument : arguments) {
      boolean asGets = argument.startsWith(GETS);
      String[] names = (asGets ? argument.substring(GETS.length()) : argument).split(",");
      Set<String> excluded = new HashSet<>(Arrays.asList(names).subList(1, names.length));
      Request request = Request.aClass(Class.forName(names[0])).filterWith(new Without(excluded));
      JUnitCore runner = new JUnitCore();
      if (asGets) {
        runner.addListener(new AsGets());
      }
      Result result = runner.run(request);
      result
          .getFailures()
          .forEach(failure -> System.out.println("FAILED " + failure + "\n" + failure.getTrace()));
      System.out.printf(
          "RESULT %s %d %d %d%n",
          names[0], result.getRunCount(), result.getFailureCount(), result.getIgnoreCount());
    }
    System.exit(0); // HBase leaves threads.
  }

  /**
   * Has blocks read in place, which only gets do: {@code TestHFile} expects it. JUnit calls this on
   * the test's thread.
   */
  private static final class AsGets extends RunListener {
    private @Nullable ThreadSource scope;

    @Override
    public void testStarted(Description description) {
      scope = ThreadSource.enter(Source.READ);
    }

    @Override
    public void testFinished(Description description) {
      if (scope != null) {
        scope.close();
        scope = null;
      }
    }
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
