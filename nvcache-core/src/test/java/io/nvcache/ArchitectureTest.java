// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toSet;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The dependency law of this module.
 *
 * <pre>
 *   host                 what integrations share: it sees the builder, background, medium, stats
 *       |
 *   io.nvcache           composition roots: the builder and what it wires
 *
 *   tiered               a DRAM tier before any BlockCache: it sees contracts, background, memory
 *       |
 *   internal             the engine
 *       |  \      \
 *       | shadow  |      (sees background, admission, eviction and stats)
 *       |         \
 *       |          stats ------------+
 *   admission  eviction  medium      |     jmx  micrometer
 *       \          |       /         |      (leaves: they see contracts and stats only)
 *                memory  <-----------+
 *
 *   background: threads that continue; it sees nothing, and all but the policies see it
 *   contracts of io.nvcache: any of the above may use them
 * </pre>
 *
 * <p>In medium, the media stand on drives, and both on file. These two know of the media's package
 * what any medium offers, and no medium.
 *
 * <p>A contract is an interface, enum, record, annotation or exception of {@code io.nvcache} or
 * {@code io.nvcache.control} that knows nothing but {@code java.*}, JSpecify and other contracts.
 * The package {@code control} holds contracts alone.
 */
@AnalyzeClasses(packages = "io.nvcache", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ROOT = "io.nvcache";

  private static final String CONTROL = "io.nvcache.control";

  private static final String MEDIUM = "io.nvcache.medium";

  /** What stands in the root package without being a contract. */
  private static final String COMPOSITION = "(composition)";

  private static final String CONTRACT = "(contract)";

  /** Each layer, and the other layers it may use besides contracts. */
  private static final Map<String, Set<String>> LAW =
      Map.ofEntries(
          Map.entry(
              COMPOSITION,
              Set.of(
                  "internal",
                  "background",
                  "shadow",
                  "tuning",
                  "admission",
                  "eviction",
                  "medium",
                  "memory",
                  "stats")),
          Map.entry(CONTRACT, Set.of()),
          Map.entry(
              "internal",
              Set.of(
                  "background",
                  "shadow",
                  "tuning",
                  "admission",
                  "eviction",
                  "medium",
                  "memory",
                  "stats")),
          Map.entry("tuning", Set.of()),
          Map.entry("background", Set.of()),
          Map.entry("shadow", Set.of("background", "admission", "eviction", "memory", "stats")),
          Map.entry("admission", Set.of("memory")),
          Map.entry("eviction", Set.of("memory")),
          Map.entry("medium", Set.of("background", "memory")),
          Map.entry("stats", Set.of("memory")),
          Map.entry("memory", Set.of("background")),
          Map.entry("tiered", Set.of("background", "memory")),
          Map.entry("host", Set.of(COMPOSITION, "background", "medium", "stats")),
          Map.entry("jmx", Set.of("stats")),
          Map.entry("micrometer", Set.of("stats")));

  /** Edges that the layers alone would forbid. */
  private static final Set<Edge> EXCEPTIONS =
      Set.of(
          // The factory method a user starts from.
          new Edge("io.nvcache.BlockCache", "io.nvcache.BlockCacheBuilder"),
          // The one place that registers the MBean, and the one that checks its name.
          new Edge("io.nvcache.CacheBuild", "io.nvcache.jmx"),
          new Edge("io.nvcache.BlockCacheBuilder", "io.nvcache.jmx"),
          // It uses contracts only, as a contract with bodies would.
          new Edge("io.nvcache.micrometer.TimedBlockCache", "io.nvcache.ForwardingBlockCache"));

  @ArchTest
  static final ArchRule layersPointDown = classes().should(obeyTheLaw()).allowEmptyShould(true);

  @ArchTest
  static final ArchRule onlyTheMemoryLayerTouchesRawMemory =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.nvcache.memory..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("sun..", "jdk.internal..")
          .allowEmptyShould(true);

  /** Stores have any number of threads: what each of them keeps is bounded by nothing. */
  @ArchTest
  static final ArchRule nobodyKeepsMemoryForThreads =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.nvcache.memory..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocal.class)
          .allowEmptyShould(true);

  /** The JDK collects the whole heap where it is short of it. */
  @ArchTest
  static final ArchRule onlyTheDramTierTakesDirectMemory =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.nvcache.memory..", "io.nvcache.tiered..")
          .should()
          .callMethod(ByteBuffer.class, "allocateDirect", int.class)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule roomsOfMediaKnowNoMedium =
      noClasses()
          .that()
          .resideInAPackage("io.nvcache.medium.*")
          .should()
          .dependOnClassesThat(
              describe(
                  "are media", type -> type.getPackageName().equals(MEDIUM) && !isOffer(type)));

  @ArchTest
  static final ArchRule filesKnowNoDrives =
      noClasses()
          .that()
          .resideInAPackage("io.nvcache.medium.file")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.nvcache.medium.drives");

  @ArchTest
  static final ArchRule nobodyLogsThroughTheJdk =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.logging..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nobodyPrints =
      GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true);

  @ArchTest
  static final ArchRule namesSayWhatAClassDoes =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)")
          .allowEmptyShould(true);

  private record Edge(String from, String toNameOrPackage) {}

  private static ArchCondition<JavaClass> obeyTheLaw() {
    return new ArchCondition<>("use only the layers below their own") {
      private Set<JavaClass> contracts = Set.of();

      @Override
      public void init(Collection<JavaClass> all) {
        contracts = contractsAmong(all);
      }

      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        String from = layerOf(origin, contracts);
        if (!LAW.containsKey(from)) {
          String message = origin.getName() + " is in a package the law does not know: " + from;
          events.add(SimpleConditionEvent.violated(origin, message));
          return;
        }
        for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (isOurs(target) && !isAllowed(origin, from, target)) {
            String message =
                from
                    + " may not use "
                    + layerOf(target, contracts)
                    + ": "
                    + dependency.getDescription();
            events.add(SimpleConditionEvent.violated(origin, message));
          }
        }
      }

      private boolean isAllowed(JavaClass origin, String from, JavaClass target) {
        String to = layerOf(target, contracts);
        return to.equals(from)
            || to.equals(CONTRACT)
            || LAW.get(from).contains(to)
            || isException(origin, target);
      }
    };
  }

  /**
   * The contracts among some classes: all candidates, less those that use something else, again
   * until none drops out.
   */
  private static Set<JavaClass> contractsAmong(Collection<JavaClass> all) {
    Set<JavaClass> contracts =
        all.stream().filter(ArchitectureTest::mayBeContract).collect(toSet());
    boolean dropped = true;
    while (dropped) {
      Set<JavaClass> known = new HashSet<>(contracts);
      dropped = contracts.removeIf(candidate -> !knowsOnly(known, candidate));
    }
    return contracts;
  }

  private static boolean mayBeContract(JavaClass type) {
    return (type.getPackageName().equals(ROOT) || type.getPackageName().equals(CONTROL))
        && hasFormOfContract(type);
  }

  private static boolean hasFormOfContract(JavaClass type) {
    return type.isInterface()
        || type.isEnum()
        || type.isRecord()
        || type.isAssignableTo(Throwable.class)
        || type.getModifiers().contains(JavaModifier.SYNTHETIC);
  }

  /**
   * Whether a type belongs to what any medium offers: {@code Medium}, and what its methods name.
   */
  private static boolean isOffer(JavaClass type) {
    return hasFormOfContract(type) || type.getSimpleName().equals("ReadBatch");
  }

  private static boolean knowsOnly(Set<JavaClass> contracts, JavaClass candidate) {
    return candidate.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
        .allMatch(
            target ->
                target.isPrimitive()
                    || target.getPackageName().startsWith("java.")
                    || target.getPackageName().startsWith("org.jspecify.")
                    || contracts.contains(target)
                    || isException(candidate, target));
  }

  private static boolean isException(JavaClass origin, JavaClass target) {
    String from = outermost(origin).getName();
    return EXCEPTIONS.contains(new Edge(from, outermost(target).getName()))
        || EXCEPTIONS.contains(new Edge(from, target.getPackageName()));
  }

  /** The first part of the package below the root, or one of the two kinds in the root. */
  private static String layerOf(JavaClass type, Set<JavaClass> contracts) {
    if (contracts.contains(type)) {
      return CONTRACT;
    }
    if (type.getPackageName().equals(ROOT)) {
      return COMPOSITION;
    }
    return type.getPackageName().substring(ROOT.length() + 1).split("\\.", 2)[0];
  }

  private static boolean isOurs(JavaClass type) {
    return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }
}
