// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks a directory in the layout of a Maven repository by the rules of Maven Central. Called by
 * scripts/check-release.
 */
final class CheckBundle {
  /** What Maven Central wants to know; name and description are never inherited. */
  private static final List<String> OWN = List.of("name", "description");

  private static final List<String> INHERITED =
      List.of(
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static final List<String> CHECKSUMS = List.of(".md5", ".sha1");

  /** What only a JDK 22 or later compiles. */
  private static final String FOREIGN =
      "META-INF/versions/22/io/nvcache/memory/ForeignMemory.class";

  private final Path root;
  private final String version;
  private final Map<String, Element> poms = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int jars;
  private boolean placeholder;

  private CheckBundle(Path root, String version) {
    this.root = root;
    this.version = version;
  }

  public static void main(String[] arguments) throws Exception {
    new CheckBundle(Path.of(arguments[0]), arguments[1]).run();
  }

  private void run() throws Exception {
    List<Path> files = files(".pom");
    for (Path pom : files) {
      Element project =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(pom.toFile())
              .getDocumentElement();
      poms.put(text(project, "artifactId"), project);
    }
    for (Path pom : files) {
      check(pom);
    }
    if (poms.isEmpty() || jars == 0) {
      problems.add("the bundle has " + poms.size() + " POMs and " + jars + " jars");
    }
    System.out.println(poms.size() + " artifacts, " + jars + " of them jars");
    if (placeholder) {
      System.out.println(
          "warning: nvcache.url is a reserved name; set it in pom.xml and in nvcache-bom before"
              + " publishing");
    }
    problems.forEach(problem -> System.err.println("check-release: " + problem));
    System.exit(problems.isEmpty() ? 0 : 1);
  }

  private List<Path> files(String suffix) throws IOException {
    try (Stream<Path> found = Files.walk(root)) {
      return found.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private void check(Path pom) throws IOException {
    String stem = pom.toString().replaceFirst("\\.pom$", "");
    String artifact = pom.getFileName().toString().replaceFirst("\\.pom$", "");
    Element project = poms.get(artifact.substring(0, artifact.length() - version.length() - 1));
    if (project == null || !artifact.endsWith("-" + version)) {
      problems.add(pom + " is not of version " + version);
      return;
    }
    for (String path : OWN) {
      require(artifact, path, text(project, path));
    }
    for (String path : INHERITED) {
      require(artifact, path, inherited(project, path));
    }
    String contents = Files.readString(pom);
    if (contents.contains("-SNAPSHOT")) {
      problems.add(artifact + " names a SNAPSHOT in its POM");
    }
    if (contents.contains("<scope>system</scope>")) {
      problems.add(artifact + " has a dependency of scope system");
    }
    String packaging = text(project, "packaging");
    if (packaging == null || packaging.equals("jar")) {
      jars++;
      for (String kind : List.of("", "-sources", "-javadoc")) {
        checkJar(artifact, kind, Path.of(stem + kind + ".jar"));
      }
    }
    for (Path file : files("")) {
      String name = file.toString();
      if (name.startsWith(stem) && Files.isRegularFile(file) && !name.matches(".*\\.(md5|sha\\d+)")) {
        for (String checksum : CHECKSUMS) {
          if (!Files.exists(Path.of(name + checksum))) {
            problems.add(file.getFileName() + " has no " + checksum);
          }
        }
      }
    }
  }

  private void checkJar(String artifact, String kind, Path jar) throws IOException {
    if (!Files.exists(jar)) {
      problems.add(artifact + " has no " + jar.getFileName());
      return;
    }
    String wanted = kind.equals("-sources") ? ".java" : kind.equals("-javadoc") ? ".html" : ".class";
    try (JarFile entries = new JarFile(jar.toFile())) {
      if (entries.stream().noneMatch(entry -> entry.getName().endsWith(wanted))) {
        problems.add(jar.getFileName() + " has no " + wanted);
      }
      if (artifact.equals("nvcache-core-" + version)
          && kind.isEmpty()
          && (entries.getEntry(FOREIGN) == null || !entries.isMultiRelease())) {
        problems.add(jar.getFileName() + " has no " + FOREIGN + ", or is no multi-release jar");
      }
    }
  }

  private void require(String artifact, String path, String value) {
    if (value == null || value.isBlank() || value.contains("${") && resolve(value).contains("${")) {
      problems.add(artifact + " has no " + path);
    }
    placeholder |= value != null && resolve(value).contains(".example");
  }

  /** Properties are read from the POM that has them, as Maven does. */
  private String resolve(String value) {
    String resolved = value;
    for (Element project : poms.values()) {
      String url = text(project, "properties/nvcache.url");
      if (url != null) {
        resolved = resolved.replace("${nvcache.url}", url);
      }
    }
    return resolved;
  }

  private String inherited(Element project, String path) {
    for (Element pom = project; pom != null; pom = poms.get(text(pom, "parent/artifactId"))) {
      String value = text(pom, path);
      if (value != null) {
        return value;
      }
      if (text(pom, "parent/artifactId") == null) {
        return null;
      }
    }
    return null;
  }

  private static String text(Element from, String path) {
    Element at = from;
    for (String name : path.split("/")) {
      at = child(at, name);
      if (at == null) {
        return null;
      }
    }
    return at.getTextContent().strip();
  }

  private static Element child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }
}
