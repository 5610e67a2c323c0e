// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A picture as a reader sees it: what is written where, and with which shapes. */
public final class DrawnSvg {
  private final Element root;

  /** A text and its box. */
  public record Text(String text, double left, double right, double top, double bottom) {
    private boolean overlaps(Text other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  public DrawnSvg(String svg) throws Exception {
    this.root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)))
            .getDocumentElement();
  }

  public List<Text> texts() {
    List<Text> texts = new ArrayList<>();
    for (Element element : elements("text")) {
      double x = number(element, "x", 0);
      double baseline = number(element, "y", 0);
      double size = number(element, "font-size", TextSize.PLAIN);
      String text = element.getTextContent();
      double width =
          element.hasAttribute("font-weight")
              ? TextSize.bold(text, size)
              : TextSize.width(text, size);
      double left =
          switch (element.getAttribute("text-anchor")) {
            case "end" -> x - width;
            case "middle" -> x - width / 2;
            default -> x;
          };
      texts.add(new Text(text, left, left + width, baseline - 0.8 * size, baseline + 0.2 * size));
    }
    return texts;
  }

  public List<String> words() {
    return texts().stream().map(Text::text).toList();
  }

  /** Elements of a name. */
  public List<Element> elements(String name) {
    NodeList found = root.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  /** Holds that each text is inside the picture, and that none covers another. */
  public void assertThatTextsFit() {
    double width = number(root, "width", 0);
    double height = number(root, "height", 0);
    List<Text> texts = texts();
    assertThat(texts)
        .isNotEmpty()
        .allSatisfy(
            text -> {
              assertThat(text.left()).isGreaterThanOrEqualTo(0);
              assertThat(text.right()).isLessThanOrEqualTo(width);
              assertThat(text.top()).isGreaterThanOrEqualTo(0);
              assertThat(text.bottom()).isLessThanOrEqualTo(height);
            });
    for (int i = 0; i < texts.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(texts.get(i).overlaps(texts.get(j)))
            .as("%s covers %s", texts.get(i), texts.get(j))
            .isFalse();
      }
    }
  }

  private static double number(Element element, String name, double otherwise) {
    String value = element.getAttribute(name);
    return value.isEmpty() ? otherwise : Double.parseDouble(value);
  }
}
