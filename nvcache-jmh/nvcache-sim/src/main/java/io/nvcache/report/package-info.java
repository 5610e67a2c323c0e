// SPDX-License-Identifier: Apache-2.0
/** What tables, charts, pages and records of all features share. */
@NullMarked
package io.nvcache.report;

import org.jspecify.annotations.NullMarked;
