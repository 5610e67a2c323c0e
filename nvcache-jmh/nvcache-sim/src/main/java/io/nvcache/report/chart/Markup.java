// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

/** Text within HTML and SVG. */
public final class Markup {
  private Markup() {}

  /** Returns the text with the characters replaced that markup gives a meaning to. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
