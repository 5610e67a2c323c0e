// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The rooms of the engine, and which other rooms each may use.
 *
 * <pre>
 *   internal      Engine, EngineAssembly and its Shapes (all wiring), Controls, Shutdown
 *      |
 *   rewrite                   the heat that rewrites of files carry
 *      |
 *   write    health           offers           |  what is watched and reported
 *      |        |  \
 *      |        |   tune                       |  the tuning of the overhead target
 *   read -------+    restart                   lookups, pins, walks   |  finding blocks again
 *      |                |
 *      |     slots   regions                   behind the door: blocks in slots or in regions
 *      |        |       |
 *      +----- remove ---+                      evictions, invalidations, reclaiming
 *               |     \
 *             space   background               where blocks are, and the door  |  threads, rounds
 *               |
 *             index                            blocks and files
 *               |
 *   gate   guard   policy   settings           (see no other room, except settings, whose
 *                                              listeners callers hold: gate)
 *
 *   health also names, of slots and regions, the classes that ask the medium.
 * </pre>
 */
@AnalyzeClasses(
    packages = "io.nvcache.internal",
    importOptions = ImportOption.DoNotIncludeTests.class)
class EngineRoomsTest {
  @ArchTest
  static final ArchRule roomsUseOnlyTheRoomsBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("rewrite")
          .definedBy("io.nvcache.internal.rewrite")
          .layer("write")
          .definedBy("io.nvcache.internal.write")
          .layer("health")
          .definedBy("io.nvcache.internal.health")
          .layer("tune")
          .definedBy("io.nvcache.internal.tune")
          .layer("read")
          .definedBy("io.nvcache.internal.read")
          .layer("remove")
          .definedBy("io.nvcache.internal.remove")
          .layer("background")
          .definedBy("io.nvcache.internal.background")
          .layer("space")
          .definedBy("io.nvcache.internal.space")
          .layer("slots")
          .definedBy("io.nvcache.internal.slots")
          .layer("regions")
          .definedBy("io.nvcache.internal.regions")
          .layer("restart")
          .definedBy("io.nvcache.internal.restart")
          .layer("index")
          .definedBy("io.nvcache.internal.index")
          .layer("gate")
          .definedBy("io.nvcache.internal.gate")
          .layer("guard")
          .definedBy("io.nvcache.internal.guard")
          .layer("policy")
          .definedBy("io.nvcache.internal.policy")
          .layer("settings")
          .definedBy("io.nvcache.internal.settings")
          .whereLayer("rewrite")
          .mayOnlyAccessLayers("write", "read", "gate")
          .whereLayer("write")
          .mayOnlyAccessLayers(
              "read",
              "remove",
              "background",
              "space",
              "index",
              "gate",
              "guard",
              "policy",
              "settings")
          .whereLayer("health")
          .mayOnlyAccessLayers(
              "tune",
              "read",
              "slots",
              "regions",
              "background",
              "space",
              "index",
              "gate",
              "guard",
              "policy",
              "settings")
          .whereLayer("tune")
          .mayOnlyAccessLayers("background", "space", "gate", "guard", "settings")
          .whereLayer("read")
          .mayOnlyAccessLayers("remove", "space", "index", "gate", "guard", "policy", "settings")
          .whereLayer("remove")
          .mayOnlyAccessLayers("background", "space", "index", "gate", "guard", "policy")
          .whereLayer("restart")
          .mayOnlyAccessLayers(
              "regions",
              "remove",
              "background",
              "space",
              "index",
              "gate",
              "guard",
              "policy",
              "settings")
          .whereLayer("regions")
          .mayOnlyAccessLayers(
              "remove", "background", "space", "index", "gate", "guard", "policy", "settings")
          .whereLayer("slots")
          .mayOnlyAccessLayers("remove", "space", "index", "guard", "policy", "settings")
          .whereLayer("space")
          .mayOnlyAccessLayers("index")
          .whereLayer("index")
          .mayOnlyAccessLayers("gate")
          .whereLayer("background")
          .mayNotAccessAnyLayer()
          .whereLayer("gate")
          .mayNotAccessAnyLayer()
          .whereLayer("guard")
          .mayNotAccessAnyLayer()
          .whereLayer("policy")
          .mayNotAccessAnyLayer()
          .whereLayer("settings")
          .mayOnlyAccessLayers("gate");

  @ArchTest
  static final ArchRule noRoomKnowsTheEngine =
      noClasses()
          .that()
          .resideInAPackage("io.nvcache.internal.*")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.nvcache.internal");
}
