// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Turns of phrase that read as translated, each with what to write instead. Pages, strings and the
 * Javadoc of exported packages have none of them.
 */
final class PlainEnglish {
  private static final List<Pattern> ODD =
      Stream.of(
              "\\b[Bb]eside\\b", // next to, alongside
              "\\b[Bb]ut for\\b", // except for
              "\\banew\\b", // again
              "\\bin (the )?place of\\b", // instead of
              "\\bof (its|their|your|our|one.s) own\\b|\\bof (yours|ours)\\b", // its own X
              "\\b(is|are|was|were) no (lookup|scan|whole|file|key|number|memory|block|column|part"
                  + "|place|miss|hit|one|write|UTF|read|failure|store|page|use|orphan|extension"
                  + "|plain|cache|FSDirectory|setting)[a-zA-Z]*", // is not a X
              ", for"
                  + " (it|its|a|an|the|that|what|there|each|room|no|they|this|which|then)\\b", // because
              "\\b(seldom|commonest|dear|dearer|amidst|beneath|lest|hence)\\b", // rarely, most
              // common
              "\\b(go|goes|going|went) on\\b", // continues
              "\\bat a stroke\\b", // in one pass
              "\\b(give|gives|gave|given) way\\b", // is evicted, makes room
              "\\bof late\\b|\\bby then\\b|\\b(come|go|goes) by\\b", // lately, by that time,
              // follows
              "\\b(a|an|two|three) (\\d+(th|nd|st|rd)|fourth|fifths?|sixth|eighth|tenths?|sixteenth"
                  + "|twentieth|fiftieth|hundredth|thousandth)\\b", // 1/64
              ", too[,.;:)]", // as well
              "\\b(that|those) of\\b", // X's, the noun again
              "\\bheld to\\b|\\bholds? [a-z]+ to\\b", // must meet, is compared with
              "\\b(stand|stands|stood|standing)\\b") // represents, is
          .map(Pattern::compile)
          .toList();

  private static final Pattern COMMENT = Pattern.compile("\\s*(?:/\\*\\*|\\*|//).*");
  private static final Pattern COMMENTS = Pattern.compile("(?m)(?:^" + COMMENT + "\\R?)+");
  private static final Pattern NEXT_LINE = Pattern.compile("\\s*\\R\\s*(?:\\*|//)\\s*");
  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

  private PlainEnglish() {}

  /** Returns the odd phrases in a text, with their places. */
  static List<MatchResult> odd(CharSequence text) {
    return ODD.stream().flatMap(phrase -> phrase.matcher(text).results()).toList();
  }

  /** Returns the comments of a Java source, each on one line: a phrase may be on two. */
  static Stream<String> comments(String source) {
    return COMMENTS
        .matcher(source)
        .results()
        .map(comment -> NEXT_LINE.matcher(comment.group()).replaceAll(" "));
  }

  /** Returns the literals of a Java source. */
  static Stream<String> strings(String source) {
    return source
        .lines()
        .filter(line -> !COMMENT.matcher(line).matches())
        .flatMap(line -> STRING.matcher(line).results())
        .map(MatchResult::group);
  }
}
