// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Draws the pictures of the pages from the JSON files in docs/evidence/data: bars in panels, or
 * lines over an axis. Colours follow the reader's light or dark mode. Ours is highlighted.
 */
final class Picture {
  private static final int WIDTH = 860;
  private static final int LEFT = 220;
  private static final int BAR = 22;
  private static final int PLOT = 300;

  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|([\\w.-]+))");
  private static final Pattern POINT = Pattern.compile("\\[([\\d.]+), ([\\d.]+)]");

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" \
      font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif" font-size="14">
        <title>%s</title>
        <style>
          .page { fill: #ffffff; stroke: #d0d7de; }
          .text { fill: #1f2328; } .bold { fill: #1f2328; font-weight: 600; }
          .note { fill: #57606a; font-size: 12px; }
          .other { fill: #8c959f; } .ours { fill: #1f6feb; }
          .line { fill: none; stroke-width: 2; stroke: #8c959f; }
          .l1 { stroke-dasharray: 7 4; } .l2 { stroke-dasharray: 2 4; } .l3 { stroke-dasharray: 9 3 2 3; }
          .mine { stroke: #1f6feb; stroke-width: 3; stroke-dasharray: none; }
          .axis { stroke: #d0d7de; stroke-width: 1; }
          @media (prefers-color-scheme: dark) {
            .page { fill: #0d1117; stroke: #30363d; }
            .text, .bold { fill: #e6edf3; } .note { fill: #9aa4af; }
            .other { fill: #6e7681; } .ours { fill: #58a6ff; }
            .line { stroke: #8b949e; } .mine { stroke: #58a6ff; } .axis { stroke: #30363d; }
          }
        </style>
        <rect class="page" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>
      """;

  private final StringBuilder body = new StringBuilder();
  private final List<String> captions = new ArrayList<>();
  private String title = "";
  private String xAxis = "";
  private int y = 32;
  private int lines;
  private double xMax = 1;
  private double yMax = 1;
  private double yMin;
  private double scale = 1;

  private Picture() {}

  /** Draws every JSON file of the directory into the directory of images. */
  public static void main(String[] directories) throws IOException {
    Path images = Path.of(directories[1]);
    try (var found = Files.list(Path.of(directories[0]))) {
      for (Path json : found.filter(file -> file.toString().endsWith(".json")).toList()) {
        Files.writeString(imageOf(json, images), draw(Files.readString(json)));
      }
    }
  }

  static Path imageOf(Path json, Path images) {
    return images.resolve(json.getFileName().toString().replace(".json", ".svg"));
  }

  static String draw(String json) {
    Picture picture = new Picture();
    json.lines().forEach(picture::take);
    return picture.finish();
  }

  /** Takes one line of the file, which has one element of the picture. */
  private void take(String line) {
    String name = field(line, "name");
    if (!field(line, "title").isEmpty()) {
      title = field(line, "title");
      body.append(text("bold", 24, y, escaped(title), "start"));
    } else if (!field(line, "caption").isEmpty()) {
      captions.add(field(line, "caption"));
    } else if (!field(line, "panel").isEmpty()) {
      y += 34;
      scale = number(line, "to");
      body.append(text("text", 24, y, escaped(field(line, "panel")), "start"));
      y += 12;
    } else if (!field(line, "xAxis").isEmpty()) {
      axes(line);
    } else if (!field(line, "mark").isEmpty()) {
      mark(field(line, "mark"), number(line, "at"));
    } else if (!name.isEmpty() && line.contains("\"points\"")) {
      curve(line, name);
    } else if (!name.isEmpty()) {
      bar(line, name);
    }
  }

  private void bar(String line, String name) {
    double value = number(line, "value");
    boolean ours = line.contains("\"ours\": true");
    double length = Math.max(1, value / scale * (WIDTH - LEFT - 110));
    body.append(text(ours ? "bold" : "text", LEFT - 12, y + 16, escaped(name), "end"))
        .append(
            String.format(
                Locale.ROOT,
                "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                ours ? "ours" : "other",
                LEFT,
                y,
                length,
                BAR))
        .append(
            text(
                ours ? "bold" : "text",
                LEFT + length + 8,
                y + 16,
                escaped(field(line, "shown")),
                "start"));
    y += BAR + 6;
  }

  private void axes(String line) {
    xAxis = field(line, "xAxis");
    xMax = number(line, "xMax");
    yMin = number(line, "yMin");
    yMax = number(line, "yMax");
    y += 28;
    body.append(text("text", 24, y, escaped(field(line, "yAxis")), "start"));
    y += 14;
    for (int i = 0; i <= 4; i++) {
      double value = yMin + (yMax - yMin) * i / 4;
      double at = y + PLOT * (1 - i / 4.0);
      body.append(
              String.format(
                  Locale.ROOT, "  <path class=\"axis\" d=\"M70 %.1fH%d\"/>%n", at, WIDTH - 190))
          .append(text("note", 62, at + 4, shown(value), "end"));
      double x = xAt(xMax * i / 4);
      body.append(text("note", x, y + PLOT + 18, shown(xMax * i / 4), "middle"));
    }
    body.append(text("note", 70, y + PLOT + 38, escaped(xAxis), "start"));
  }

  /** Draws when something happened: a line from the axis up, with its name along it. */
  private void mark(String name, double at) {
    double x = xAt(at);
    body.append(
        String.format(
            Locale.ROOT,
            "  <path class=\"axis\" d=\"M%.1f %dV%d\"/>%n"
                + "  <text class=\"note\" transform=\"translate(%.1f %d) rotate(-90)\">%s</text>%n",
            x,
            y,
            y + PLOT,
            x + 12,
            y + PLOT - 6,
            escaped(name)));
  }

  private void curve(String line, String name) {
    boolean ours = line.contains("\"ours\": true");
    StringBuilder path = new StringBuilder();
    double lastX = 0;
    double lastY = 0;
    for (MatchResult point : POINT.matcher(line).results().toList()) {
      lastX = xAt(Double.parseDouble(point.group(1)));
      lastY = y + PLOT * (1 - (Double.parseDouble(point.group(2)) - yMin) / (yMax - yMin));
      path.append(
          String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", lastX, lastY));
    }
    body.append(
            String.format(
                Locale.ROOT,
                "  <path class=\"line l%d%s\" d=\"%s\"/>%n",
                lines++ % 4,
                ours ? " mine" : "",
                path))
        .append(
            text(
                ours ? "bold" : "text",
                lastX + 8,
                lastY + 5 + number(line, "shift"),
                escaped(name),
                "start"));
  }

  private double xAt(double value) {
    return 70 + value / xMax * (WIDTH - 260);
  }

  private String finish() {
    if (!xAxis.isEmpty()) {
      y += PLOT + 46;
    }
    for (String caption : captions) {
      y += 20;
      body.append(text("note", 24, y, escaped(caption), "start"));
    }
    int height = y + 18;
    return String.format(HEAD, WIDTH, height, escaped(title), WIDTH - 1, height - 1)
        + body
        + "</svg>\n";
  }

  private static String text(String style, double x, double y, String words, String anchor) {
    return String.format(
        Locale.ROOT,
        "  <text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
        style,
        x,
        y,
        anchor,
        words);
  }

  private static String shown(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String field(String line, String key) {
    return FIELD
        .matcher(line)
        .results()
        .filter(field -> field.group(1).equals(key) && field.group(2) != null)
        .map(field -> field.group(2))
        .findFirst()
        .orElse("");
  }

  private static double number(String line, String key) {
    return FIELD
        .matcher(line)
        .results()
        .filter(field -> field.group(1).equals(key) && field.group(3) != null)
        .mapToDouble(field -> Double.parseDouble(field.group(3)))
        .findFirst()
        .orElse(0);
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
