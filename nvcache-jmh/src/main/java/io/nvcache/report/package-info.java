// SPDX-License-Identifier: Apache-2.0
/** Results for people (terminal, HTML) and for machines (JSON). */
@NullMarked
package io.nvcache.report;

import org.jspecify.annotations.NullMarked;
