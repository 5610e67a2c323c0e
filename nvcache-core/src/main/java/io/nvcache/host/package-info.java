// SPDX-License-Identifier: Apache-2.0
/** What the integrations have in common: settings, summaries in logs, the thread that carries. */
@NullMarked
package io.nvcache.host;

import org.jspecify.annotations.NullMarked;
