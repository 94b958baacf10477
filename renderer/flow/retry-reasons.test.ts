import { expect, test } from 'vitest';
import { messagesOf } from '../../locales/node.ts';
import { retryViewOf } from './retry-reasons.tsx';
import { snapshotWith } from './snapshots.fixture.ts';

const en = messagesOf('hosted', 'en');

test('each finding about the picture has a message; secret ones are shown as "try again"', () => {
  const snapshot = snapshotWith({ findings: ['too_dark', 'several_faces'] });
  expect(retryViewOf({ interrupted: false, snapshot }, en).reasons).toEqual([
    en.findings.too_dark,
    en.findings.several_faces,
  ]);
  expect(retryViewOf({ interrupted: false, snapshot: snapshotWith() }, en).reasons).toEqual([
    en.findings.try_again,
  ]);
});

test('a lost connection is the reason, whatever was found before', () => {
  const snapshot = snapshotWith({ findings: ['too_dark'] });
  expect(retryViewOf({ interrupted: true, snapshot }, en).reasons).toEqual([en.retry.interrupted]);
});

test('without a specific reason, general advice about light, glare, distance and company is shown', () => {
  const tipsFor = (findings: ('try_again' | 'too_dark')[], interrupted = false) =>
    retryViewOf({ interrupted, snapshot: snapshotWith({ findings }) }, en).tips;
  expect(tipsFor(['try_again'])).toEqual(Object.values(en.retry.tips));
  expect(tipsFor(['too_dark'])).toEqual([]);
  expect(tipsFor([], true)).toEqual([]);
});
