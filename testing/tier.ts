/**
 * How much of a family of cases a run includes. `npm test` proves each rule with a sample; `npm run test:nightly` sets
 * `GATEHOUSE_TESTS=nightly`, which includes every family completely and the tests tagged `@nightly`.
 */
const isNightly = process.env['GATEHOUSE_TESTS'] === 'nightly';

/** Tag of an end-to-end test that only the nightly run includes, because its rule has a cheaper proof in every run. */
export const NIGHTLY = '@nightly';

/** Tag of an end-to-end test that holds a check before a camera: two at once would starve each other. */
export const CHECK = '@check';

/** The tests that a run leaves out. */
export const LEFT_OUT: RegExp | undefined = isNightly ? undefined : new RegExp(NIGHTLY);

/** The size of a family of generated cases, or the cases themselves. */
export const sized = <T>(perCommit: T, whole: T): T => (isNightly ? whole : perCommit);

/**
 * The time after which a test counts as hung.
 * @param quietMs its maximum on an idle, fast machine
 */
const patience = Number(process.env['GATEHOUSE_TEST_PATIENCE'] ?? 4);

/** The time after which a test counts as hung. @param quietMs what it takes at most on a quiet, quick machine */
export const limitMs = (quietMs: number): number => quietMs * patience;
