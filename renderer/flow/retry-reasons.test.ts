import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { retryReasons } from './retry-reasons.ts';
import { snapshotWith } from './snapshots.fixture.ts';

const en = messagesOf('hosted', 'en');

test('what was wrong is said finding by finding; what nobody is told is said as "try again"', () => {
  const snapshot = snapshotWith({ findings: ['too_dark', 'several_faces'] });
  expect(retryReasons({ interrupted: false, snapshot }, en)).toEqual([
    en.findings.too_dark,
    en.findings.several_faces,
  ]);
  expect(retryReasons({ interrupted: false, snapshot: snapshotWith() }, en)).toEqual([en.findings.try_again]);
});

test('a connection that broke is the reason, whatever was found before', () => {
  const snapshot = snapshotWith({ findings: ['too_dark'] });
  expect(retryReasons({ interrupted: true, snapshot }, en)).toEqual([en.retry.interrupted]);
});
