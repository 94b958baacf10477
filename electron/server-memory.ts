/**
 * Keeps the memory of a Node process that runs the server small: an idle server takes 313 MiB instead of 378, and one
 * under load 460 instead of 615, for the same processor time (docs/explanation/performance.md).
 */

/** Arguments of Node. With the default of 16 MiB, each of the three spaces of the young generation grows and rarely shrinks. */
export const SERVER_NODE_ARGS = ['--max-semi-space-size=4'];

/** The environment. By default glibc creates up to eight heaps per core, and keeps what each thread has freed. */
export const SERVER_MEMORY_ENV = { MALLOC_ARENA_MAX: '2' };
