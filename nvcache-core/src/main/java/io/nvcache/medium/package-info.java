// SPDX-License-Identifier: Apache-2.0
/** Where block bytes live: the service-provider interface and the media of the core. */
@NullMarked
package io.nvcache.medium;

import org.jspecify.annotations.NullMarked;
