/**
 * How much of a family of cases a run takes. `npm test` proves each rule with a sample; `npm run test:nightly` sets
 * `GATEHOUSE_TESTS=nightly`, takes every family whole and runs the tests tagged `@nightly` too.
 */
const isNightly = process.env['GATEHOUSE_TESTS'] === 'nightly';

/** Tag of an end-to-end test that only the nightly run takes: its rule has a cheaper proof in every run. */
export const NIGHTLY = '@nightly';

/** The tests that a run leaves out. */
export const LEFT_OUT: RegExp | undefined = isNightly ? undefined : new RegExp(NIGHTLY);

/** The size of a family of generated cases, or the cases themselves. */
export const sized = <T>(perCommit: T, whole: T): T => (isNightly ? whole : perCommit);

/** How many times as long as on a quiet, quick machine a test may take before it counts as hung. */
const patience = Number(process.env['GATEHOUSE_TEST_PATIENCE'] ?? 4);

/** The time after which a test counts as hung. @param quietMs what it takes at most on a quiet, quick machine */
export const limitMs = (quietMs: number): number => quietMs * patience;
