// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.nvcache.micrometer.ScrapedServer.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The part of Prometheus' language that the alert rules use, with its rules of matching: operands
 * are joined by all their labels but those that are ignored, and must be one to one. What a
 * function over a range answers is up to {@link Series}.
 */
final class PromExpression {
  private static final Pattern TOKEN =
      Pattern.compile("[<>=!]=|=~|[-+*/()<>{},=\\[\\]]|\"[^\"]*\"|[a-zA-Z_]\\w*|[\\d.]+[smhd]?");
  private static final Set<String> COMPARISONS = Set.of("<", ">", "==", "<=", ">=");

  /** The numbers that expressions are made of. */
  interface Series {
    /** The samples of a series: of now if the function is empty, else what it makes of a range. */
    List<Sample> of(String series, String function, String range);
  }

  /** Scalars have one entry with no labels. */
  private record Value(boolean scalar, Map<Map<String, String>, Double> vector) {
    double number() {
      return vector.values().iterator().next();
    }
  }

  private final List<String> tokens;
  private final Series series;
  private int next;

  private PromExpression(String text, Series series) {
    this.tokens = TOKEN.matcher(text).results().map(MatchResult::group).toList();
    this.series = series;
  }

  /** The labels of what it finds; an alert is fired for each. */
  static Set<Map<String, String>> evaluate(String text, Series series) {
    PromExpression expression = new PromExpression(text, series);
    Value value = expression.conjunction();
    if (expression.next != expression.tokens.size()) {
      throw new IllegalArgumentException("not understood from " + expression.peek() + ": " + text);
    }
    return value.vector.keySet();
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private String take() {
    return tokens.get(next++);
  }

  private void expect(String token) {
    if (!take().equals(token)) {
      throw new IllegalArgumentException("no " + token + " before token " + next + " of " + tokens);
    }
  }

  private Value conjunction() {
    Value left = comparison();
    while (peek().equals("and")) {
      take();
      Set<String> ignored = ignored();
      Set<Map<String, String>> keys = new HashSet<>();
      comparison().vector.keySet().forEach(labels -> keys.add(without(ignored, labels)));
      Map<Map<String, String>, Double> kept = new HashMap<>(left.vector);
      kept.keySet().removeIf(labels -> !keys.contains(without(ignored, labels)));
      left = new Value(false, kept);
    }
    return left;
  }

  private Value comparison() {
    Value left = sum();
    while (COMPARISONS.contains(peek())) {
      String operator = take();
      Set<String> ignored = ignored();
      Value joined =
          join(
              left, sum(), ignored, (one, other) -> holds(operator, one, other) ? one : Double.NaN);
      joined.vector.values().removeIf(value -> Double.isNaN(value));
      left = joined;
    }
    return left;
  }

  private static boolean holds(String operator, double one, double other) {
    return switch (operator) {
      case "<" -> one < other;
      case ">" -> one > other;
      case "<=" -> one <= other;
      case ">=" -> one >= other;
      default -> one == other;
    };
  }

  private Value sum() {
    Value left = product();
    while (peek().equals("+") || peek().equals("-")) {
      int sign = take().equals("+") ? 1 : -1;
      left = join(left, product(), ignored(), (one, other) -> one + sign * other);
    }
    return left;
  }

  private Value product() {
    Value left = operand();
    while (peek().equals("*") || peek().equals("/")) {
      boolean times = take().equals("*");
      Set<String> ignored = ignored();
      left = join(left, operand(), ignored, (one, other) -> times ? one * other : one / other);
    }
    return left;
  }

  private Set<String> ignored() {
    if (!peek().equals("ignoring")) {
      return Set.of();
    }
    take();
    return names();
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>();
    expect("(");
    while (!peek().equals(")")) {
      names.add(take());
      if (peek().equals(",")) {
        take();
      }
    }
    take();
    return names;
  }

  private static Value join(
      Value left, Value right, Set<String> ignored, DoubleBinaryOperator operator) {
    Map<Map<String, String>, Double> joined = new HashMap<>();
    if (right.scalar || left.scalar) {
      Value vector = right.scalar ? left : right;
      vector.vector.forEach(
          (labels, value) ->
              joined.put(
                  labels,
                  operator.applyAsDouble(
                      left.scalar ? left.number() : value, right.scalar ? right.number() : value)));
      return new Value(left.scalar && right.scalar, joined);
    }
    Map<Map<String, String>, Double> others = new HashMap<>();
    right.vector.forEach((labels, value) -> putOnce(others, without(ignored, labels), value));
    left.vector.forEach(
        (labels, value) -> {
          Map<String, String> key = without(ignored, labels);
          Double other = others.get(key);
          if (other != null) {
            putOnce(joined, key, operator.applyAsDouble(value, other));
          }
        });
    return new Value(false, joined);
  }

  private static void putOnce(
      Map<Map<String, String>, Double> vector, Map<String, String> labels, double value) {
    if (vector.put(labels, value) != null) {
      throw new IllegalArgumentException("many to many: " + labels);
    }
  }

  private static Map<String, String> without(Set<String> ignored, Map<String, String> labels) {
    Map<String, String> rest = new TreeMap<>(labels);
    rest.keySet().removeAll(ignored);
    return rest;
  }

  private Value operand() {
    String token = take();
    if (token.equals("(")) {
      Value inner = conjunction();
      expect(")");
      return inner;
    }
    if (Character.isDigit(token.charAt(0))) {
      Map<Map<String, String>, Double> number = new HashMap<>();
      number.put(Map.of(), Double.parseDouble(token));
      return new Value(true, number);
    }
    if (token.equals("sum")) {
      expect("without");
      Set<String> dropped = names();
      expect("(");
      Map<Map<String, String>, Double> sums = new HashMap<>();
      conjunction()
          .vector
          .forEach((labels, value) -> sums.merge(without(dropped, labels), value, Double::sum));
      expect(")");
      return new Value(false, sums);
    }
    if (peek().equals("(")) {
      take();
      Value range = selector(take(), token);
      expect(")");
      return range;
    }
    return selector(token, "");
  }

  private Value selector(String name, String function) {
    Map<String, String> equal = new HashMap<>();
    Map<String, String> unequal = new HashMap<>();
    if (peek().equals("{")) {
      take();
      while (!peek().equals("}")) {
        String label = take();
        Map<String, String> wanted = take().equals("!=") ? unequal : equal;
        wanted.put(label, take().replace("\"", ""));
        if (peek().equals(",")) {
          take();
        }
      }
      take();
    }
    String range = "";
    if (peek().equals("[")) {
      take();
      range = take();
      expect("]");
    }
    Map<Map<String, String>, Double> found = new HashMap<>();
    for (Sample sample : new ArrayList<>(series.of(name, function, range))) {
      if (sample.labels().entrySet().containsAll(equal.entrySet())
          && unequal.entrySet().stream().noneMatch(sample.labels().entrySet()::contains)) {
        putOnce(found, sample.labels(), sample.value());
      }
    }
    return new Value(false, found);
  }
}
