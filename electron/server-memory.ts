/**
 * How a Node process that runs the server keeps its memory small: an idle server then takes 313 MiB instead of 378, and
 * one under load 460 instead of 615, for the same processor time (docs/explanation/performance.md).
 */

/** Arguments of Node. The default of 16 MiB is left to grow in each of its three spaces and hardly ever shrinks. */
export const SERVER_NODE_ARGS = ['--max-semi-space-size=4'];

/** The environment. By default glibc makes up to eight heaps for each core, and keeps what each thread has freed. */
export const SERVER_MEMORY_ENV = { MALLOC_ARENA_MAX: '2' };
