// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.nvcache.writelog.WriteLog;
import java.io.PrintWriter;
import java.nio.file.FileSystems;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes in a separate JVM, and prints what came of them and what was logged. */
public final class PublishedTests {
  private static final int MOST_FAILURES = 20;

  private PublishedTests() {}

  /** Takes the classes. */
  public static void main(String[] classes) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String name : classes) {
      request.selectors(selectClass(name));
    }
    LauncherDiscoveryRequest all = request.build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(all, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.err, true), MOST_FAILURES);
    WriteLog log = ((WriteLogFileSystemProvider) FileSystems.getDefault().provider()).log();
    System.out.printf(
        "RESULT run %d failed %d skipped %d records %d%n",
        summary.getTestsSucceededCount(),
        summary.getTotalFailureCount(),
        summary.getTestsSkippedCount() + summary.getTestsAbortedCount(),
        log == null ? 0 : log.stats().records());
    System.exit(0); // The tests may leave threads.
  }
}
