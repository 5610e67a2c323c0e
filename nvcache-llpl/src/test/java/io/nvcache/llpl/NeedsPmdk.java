// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips tests, and says why, where PMDK is not installed; they run, and fail, where the environment
 * has {@code NVCACHE_REQUIRE_LLPL=1}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsPmdk.Condition.class)
@interface NeedsPmdk {
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return evaluate(PmemLibraries.problem(), System.getenv("NVCACHE_REQUIRE_LLPL"));
    }

    static ConditionEvaluationResult evaluate(@Nullable String problem, @Nullable String required) {
      return problem == null || "1".equals(required)
          ? ConditionEvaluationResult.enabled("LLPL works, or is required to")
          : ConditionEvaluationResult.disabled(problem);
    }
  }
}
