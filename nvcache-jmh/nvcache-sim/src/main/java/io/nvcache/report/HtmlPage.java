// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.report.chart.Markup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Fills templates of pages, and writes the parts that pages share. */
public final class HtmlPage {
  private static final String TEMPLATE = "report.html";

  private HtmlPage() {}

  /**
   * Returns a page of sections, without policies.
   *
   * @param when the time to print, in words
   * @param sections as HTML
   * @param settings what was asked for, by option
   */
  public static String of(
      String title, String when, String sections, List<String> notes, Map<String, String> settings)
      throws IOException {
    return of(title, when, sections, Map.of(), notes, settings);
  }

  /**
   * Returns a page of sections, policies, notes, machine and settings.
   *
   * @param when the time to print, in words
   * @param sections as HTML
   * @param policies what each does, by name
   * @param settings what was asked for, by option
   */
  public static String of(
      String title,
      String when,
      String sections,
      Map<String, String> policies,
      List<String> notes,
      Map<String, String> settings)
      throws IOException {
    return fill(
        template(HtmlPage.class, TEMPLATE),
        Map.of(
            "title",
            Markup.escape(title),
            "when",
            Markup.escape(when),
            "workloads",
            sections,
            "policies",
            definitions(policies),
            "notes",
            items(notes),
            "settings",
            definitions(settings),
            "machine",
            definitions(HostMachine.describe())));
  }

  /** Returns a table below its title. */
  public static String titledTable(ResultTable table) {
    return "<h2>" + Markup.escape(table.title()) + "</h2>\n" + table(table) + "\n";
  }

  /** Returns the style sheet of {@link #of}, for templates of other pages. */
  public static String style() throws IOException {
    String styled = template(HtmlPage.class, TEMPLATE);
    return styled.substring(styled.indexOf("<style>"), styled.indexOf("</head>"));
  }

  /**
   * Returns the text of a resource.
   *
   * @param owner the class that the resource is next to
   */
  public static String template(Class<?> owner, String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Replaces each name in double braces by its value, in one pass over the template. */
  public static String fill(String template, Map<String, String> slots) {
    StringBuilder page = new StringBuilder();
    int from = 0;
    for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", from)) {
      int close = template.indexOf("}}", open);
      String name = template.substring(open + 2, close);
      page.append(template, from, open);
      page.append(Objects.requireNonNull(slots.get(name), name));
      from = close + 2;
    }
    return page.append(template, from, template.length()).toString();
  }

  /** Returns a table without its title. */
  public static String table(ResultTable table) {
    return "<table>\n<thead><tr>"
        + cells("th", table.header())
        + "</tr></thead>\n<tbody>\n"
        + table.rows().stream()
            .map(row -> "<tr>" + cells("td", row) + "</tr>")
            .collect(Collectors.joining("\n"))
        + "\n</tbody>\n</table>";
  }

  private static String cells(String tag, List<String> cells) {
    return cells.stream()
        .map(cell -> "<" + tag + ">" + Markup.escape(cell) + "</" + tag + ">")
        .collect(Collectors.joining());
  }

  /** Returns a chart as a figure. */
  public static String figure(String svg) {
    return "<figure>" + svg + "</figure>\n";
  }

  /** Returns the items of a list of definitions. */
  public static String definitions(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(
            fact ->
                "<dt>"
                    + Markup.escape(fact.getKey())
                    + "</dt><dd>"
                    + Markup.escape(fact.getValue())
                    + "</dd>")
        .collect(Collectors.joining("\n"));
  }

  /** Returns the items of a list of sentences. */
  public static String items(List<String> sentences) {
    return sentences.stream()
        .map(sentence -> "<li>" + Markup.escape(sentence) + "</li>")
        .collect(Collectors.joining("\n"));
  }
}
