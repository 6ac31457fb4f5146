/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* 1 if the test is compiled with sanitizers. It then takes several times as long, and needs more memory and
 * descriptors. */
#ifdef __has_feature
#define SANITIZED (__has_feature (address_sanitizer) || __has_feature (undefined_behavior_sanitizer))
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* How often a test tries what is random: a mistake with memory needs fewer tries than a wrong result. */
#define ROUNDS(n) (SANITIZED ? (n) / 5 : (n))
