import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CountedModule, countPlaywright, countRun, countVitest, filesOf } from './test-counts.ts';

const unitModule = (
  tests: readonly (readonly [fullName: string, state: string, message?: string])[],
  { errors = [], suiteErrors = [] }: { errors?: string[]; suiteErrors?: string[] } = {},
): CountedModule => ({
  relativeModuleId: 'a.test.ts',
  state: () => (errors.length > 0 || tests.some(([, state]) => state === 'failed') ? 'failed' : 'passed'),
  errors: () => errors.map((message) => ({ message })),
  children: {
    allTests: () =>
      tests.map(([fullName, state, message = '']) => ({
        fullName,
        result: () => ({ state, errors: state === 'failed' ? [{ message }] : [] }),
      })),
    allSuites: () => [{ fullName: 'a suite', errors: () => suiteErrors.map((message) => ({ message })) }],
  },
});

it('failed files are named once each, without what failed outside a test', () => {
  expect(
    filesOf(['a/b.test.ts › x: y', 'a/b.test.ts › z', 'c.page.test.tsx › d', 'outside the tests: e']),
  ).toEqual(['a/b.test.ts', 'c.page.test.tsx']);
});

describe('unit tests count', () => {
  it('as passed and failed, skipped ones as neither', () => {
    const failed = unitModule([
      ['good', 'passed'],
      ['left out', 'skipped'],
      ['bad', 'failed', 'expected 1\nto be 2'],
    ]);
    expect(countVitest([failed], [])).toEqual({
      passed: 1,
      failed: 1,
      skipped: [],
      failures: ['a.test.ts › bad: expected 1 | to be 2'],
    });
  });

  it('as one failure for each error outside a test', () => {
    const modules = [
      unitModule([], { errors: ['no such file'] }),
      unitModule([['good', 'passed']], { suiteErrors: ['hook'] }),
    ];
    expect(countVitest(modules, [{ message: 'late' }])).toEqual({
      passed: 1,
      failed: 3,
      skipped: [],
      failures: [
        'outside the tests: late',
        'a.test.ts › outside the tests: no such file',
        'a.test.ts › a suite: hook',
      ],
    });
  });
});

describe('end-to-end tests count', () => {
  it('as failed if they are flaky, and so do errors outside a test', () => {
    const stats = { expected: 7, unexpected: 1, flaky: 1 };
    const results = [{ errors: [{ message: '\u001B[31mtimed\u001B[39m out\nat 1' }] }];
    const tests = [{ status: 'unexpected', annotations: [], results }];
    const suites = [{ specs: [{ title: 'the door', file: 'door.spec.ts', tests }] }];
    expect(countPlaywright({ stats, errors: [{ message: 'no browser' }], suites })).toMatchObject({
      passed: 7,
      failed: 3,
      failures: ['door.spec.ts › the door: timed out | at 1', 'outside the tests: no browser'],
    });
  });

  it('as neither when they are skipped, and are named with the reason', () => {
    const stats = { expected: 1, unexpected: 0, flaky: 0 };
    const annotations = [{ type: 'skip', description: 'PHP is not installed here.' }];
    const spec = { file: 'receivers.spec.ts' };
    const php = {
      ...spec,
      title: 'the PHP receiver',
      tests: [{ status: 'skipped', annotations, results: [] }],
    };
    const inner = { specs: [php] };
    const passed = { status: 'expected', annotations: [], results: [] };
    const suite = {
      specs: [{ ...spec, title: 'the Node receiver', tests: [passed] }],
      suites: [inner],
    };
    const { skipped } = countPlaywright({ stats, errors: [], suites: [suite] });
    expect(skipped).toEqual(['the PHP receiver: PHP is not installed here.']);
  });
});

describe('a run', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-counts-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const count = (report: { passed: number }) => ({
    passed: report.passed,
    failed: 0,
    skipped: [],
    failures: [],
  });

  it('without a report has failed', async () => {
    expect(await countRun(path.join(folder, 'none'), 0, count)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('that ends with an error has failed, whatever its report says', async () => {
    const report = path.join(folder, 'report.json');
    await writeFile(report, '{"passed":3}');
    expect(await countRun(report, 0, count)).toMatchObject({ passed: 3, failed: 0 });
    expect(await countRun(report, 1, count)).toMatchObject({ passed: 3, failed: 1 });
  });
});
