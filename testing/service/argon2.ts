/**
 * Argon2 at its lowest cost, which replaces the module in unit tests (see `CHEAP_HASHES` in `vitest.config.ts`).
 * `server/services/operators/hashing.test.ts` proves the product's cost.
 */
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

const real = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;
const LOWEST = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const verify = real.verify;
export const hash: typeof Argon2.hash = (secret, options) => real.hash(secret, { ...options, ...LOWEST });
