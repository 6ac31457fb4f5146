/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Whether sanitizers are compiled in: tests take several times as long, and need memory and descriptors besides. */
#ifdef __has_feature
#define SANITIZED (__has_feature (address_sanitizer) || __has_feature (undefined_behavior_sanitizer))
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif
