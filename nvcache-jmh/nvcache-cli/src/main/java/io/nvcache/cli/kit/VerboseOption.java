// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import picocli.CommandLine.Option;

/** For commands that write no results, and so lack {@link OutputOptions}. */
public final class VerboseOption {
  @SuppressWarnings("UnusedVariable") // OneLineErrors looks whether it was given
  @Option(names = "--verbose", description = "When something fails, show where.")
  private boolean verbose;
}
