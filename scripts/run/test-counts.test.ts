import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countPlaywright, countRun, countVitest } from './test-counts.ts';

describe('unit tests count', () => {
  it('as passed and failed, skipped ones as neither', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'skipped' }] },
        { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
      ],
    };
    expect(countVitest(report)).toMatchObject({ passed: 5, failed: 1 });
  });

  it('as one failure for a file that cannot be loaded', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 0,
      testResults: [{ status: 'failed', assertionResults: [] }],
    };
    expect(countVitest(report)).toMatchObject({ passed: 5, failed: 1 });
  });
});

describe('end-to-end tests count', () => {
  it('as failed when they pass only sometimes, and so do errors outside a test', () => {
    const stats = { expected: 7, unexpected: 1, flaky: 1 };
    expect(countPlaywright({ stats, errors: [{}], suites: [] })).toMatchObject({ passed: 7, failed: 3 });
  });

  it('as neither when they are skipped, and are named with the reason', () => {
    const stats = { expected: 1, unexpected: 0, flaky: 0 };
    const annotations = [{ type: 'skip', description: 'PHP is not installed here.' }];
    const inner = { specs: [{ title: 'the PHP receiver', tests: [{ status: 'skipped', annotations }] }] };
    const suite = {
      specs: [{ title: 'the Node receiver', tests: [{ status: 'expected', annotations: [] }] }],
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

  const count = (report: { passed: number }) => ({ passed: report.passed, failed: 0, skipped: [] });

  it('without a report has failed', async () => {
    expect(await countRun(path.join(folder, 'none'), 0, count)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('that ends badly has failed, whatever its report says', async () => {
    const report = path.join(folder, 'report.json');
    await writeFile(report, '{"passed":3}');
    expect(await countRun(report, 0, count)).toMatchObject({ passed: 3, failed: 0 });
    expect(await countRun(report, 1, count)).toMatchObject({ passed: 3, failed: 1 });
  });
});
