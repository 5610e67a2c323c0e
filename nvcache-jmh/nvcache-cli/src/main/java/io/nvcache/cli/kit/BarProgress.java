// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import java.nio.charset.Charset;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar for each phase, for people who watch. */
final class BarProgress implements Progress {
  private static final int UPDATE_MILLIS = 200;
  private static final int NAME_WIDTH = 24;

  private final ProgressBarStyle style;

  BarProgress(Charset charset) {
    style =
        charset.newEncoder().canEncode("█▏│")
            ? ProgressBarStyle.UNICODE_BLOCK
            : ProgressBarStyle.ASCII;
  }

  @Override
  public Phase begin(String name, long steps) {
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(String.format("%-" + NAME_WIDTH + "s", name))
            .setInitialMax(steps)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setStyle(style)
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build();
    return new Phase() {
      @Override
      public void at(long step, String note) {
        bar.stepTo(step);
        bar.setExtraMessage(note);
      }

      @Override
      public void close() {
        bar.close();
      }
    };
  }
}
