// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.model.WhatIf;
import io.nvcache.model.WhatIfReport;
import io.nvcache.report.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code whatif}: the device model on a user's numbers. */
@Command(
    name = "whatif",
    customSynopsis =
        "nvcache whatif (--data SIZE | --trace FILE) --dram SIZE --nvram SIZE [OPTION]...",
    description = {
      KnownCommand.WHATIF_SUMMARY,
      "The model's store is a copy-on-write B-tree: take the figures as a comparison of policies and"
          + " sizes, not as a promise."
    })
final class WhatIfCommand extends Action {
  @Option(names = "--list-policies", description = "List the policies and end.")
  private boolean listPolicies;

  @Mixin private final WhatIfOptions options = new WhatIfOptions();

  @Mixin private final OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = out();
    if (listPolicies) {
      WhatIfOptions.choices().forEach(s -> out.printf("%-24s %s%n", s.name(), s.summary()));
      out.flush();
      return 0;
    }
    OptionReader reader = reader();
    output.check(reader);
    options.read(reader);
    List<WhatIf.Prediction> predictions = options.predict(reader);
    WhatIfReport report = new WhatIfReport(options.load(), predictions, options.prices());
    out.println("\n" + report.table(new TextTable(Terminal.charset())));
    report.notes().forEach(out::println);
    out.flush();
    output.write(report.records(), when -> report.page(options.list(), when));
    return 0;
  }
}
