// SPDX-License-Identifier: Apache-2.0
/** What the integrations have in common: their settings' keys, and the summaries in their logs. */
@NullMarked
package io.nvcache.host;

import org.jspecify.annotations.NullMarked;
