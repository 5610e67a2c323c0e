// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What pages may name: the words, options and profiles of all sources, scripts and POMs.
 *
 * @param root the directory of the project
 * @param classes the text of the Java files, by the name of their class
 * @param words all identifiers of the sources
 * @param options all options, such as {@code --json}, that sources and scripts know
 * @param strings all literals of the sources, and all words with dots of scripts and POMs
 * @param profiles of Maven
 */
record Tree(
    Path root,
    Map<String, String> classes,
    Set<String> words,
    Set<String> options,
    Set<String> strings,
    Set<String> profiles) {
  private static final Set<String> SKIPPED = Set.of("target", ".git", "docs");
  private static final Pattern WORD = Pattern.compile("\\b[A-Za-z_]\\w+");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final Pattern STRING = Pattern.compile("\"([^\"\\\\\n]*)\"");
  private static final Pattern DOTTED = Pattern.compile("[\\w-]+(?:\\.[\\w-]+)+");
  private static final Pattern PROFILE =
      Pattern.compile("<profile>\\s*(?:<!--.*?-->\\s*)?<id>([^<]+)");

  static Tree read(Path root) throws IOException {
    Tree tree =
        new Tree(
            root,
            new HashMap<>(),
            new HashSet<>(),
            new HashSet<>(),
            new HashSet<>(),
            new HashSet<>());
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            boolean isRoot = directory.equals(root); // It may have any name.
            return !isRoot && SKIPPED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            tree.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    tree.add(root.resolve("docs/run/monitoring/prometheus-alerts.yml"));
    return tree;
  }

  private void add(Path file) {
    String name = file.getFileName().toString();
    boolean java = name.endsWith(".java");
    boolean pom = name.equals("pom.xml");
    boolean script =
        file.startsWith(root.resolve("scripts")) || file.startsWith(root.resolve(".ci"));
    // The list that a test compares with the beans and meters: code puts these names together.
    boolean pinned = name.equals("names.txt");
    boolean other =
        pinned || name.endsWith(".properties") || name.endsWith(".yml") || name.endsWith(".xml");
    if (!java && !pom && !script && !other) {
      return;
    }
    // The mistakes that the test makes up are none of the tree's names.
    String text = name.equals("DocPagesTest.java") ? "" : textOf(file);
    if (java) {
      classes.merge(name.substring(0, name.length() - ".java".length()), text, String::concat);
    }
    each(WORD, text, 0, words);
    each(OPTION, text, 0, options);
    each(STRING, text, 1, strings);
    each(DOTTED, text, 0, strings);
    if (pom) {
      each(PROFILE, text, 1, profiles);
    }
  }

  private static void each(Pattern pattern, String text, int group, Set<String> into) {
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      into.add(matcher.group(group));
    }
  }

  private static String textOf(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
