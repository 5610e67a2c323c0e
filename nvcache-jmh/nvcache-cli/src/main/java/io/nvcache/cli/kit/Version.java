// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import picocli.CommandLine.IVersionProvider;

/** Returns the version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"nvcache " + (version == null ? "(not built as a jar)" : version)};
  }
}
