import { expect, test } from 'vitest';
import { mergeFields, versionOf } from './versions.ts';

const OPENED = {
  name: 'Gate A',
  event_id: 'one' as string | null,
  config: { skip: 1 } as Record<string, unknown>,
};
const VERSION = versionOf(OPENED);

test('what somebody else changed stays, though the form sends its old value', () => {
  const current = { ...OPENED, event_id: 'two' };
  expect(mergeFields(VERSION, current, { ...OPENED, name: 'Gate B' })).toMatchObject({
    change: { name: 'Gate B' },
    conflicts: [],
  });
});

test('a field that both changed is a conflict with both values', () => {
  const current = { ...OPENED, name: 'North' };
  expect(mergeFields(VERSION, current, { name: 'South' }).conflicts).toEqual([
    { field: 'name', yours: 'South', theirs: 'North' },
  ]);
});

test('both wrote the same: no conflict', () => {
  const merge = mergeFields(VERSION, { ...OPENED, event_id: null }, { event_id: null });
  expect(merge).toMatchObject({ change: {}, conflicts: [] });
});

test('a change and its undoing in between is no conflict', () => {
  expect(mergeFields(VERSION, OPENED, { name: 'South' }).conflicts).toEqual([]);
});

test('once the other value was seen, the form may replace it, and nothing that came after', () => {
  const first = mergeFields(VERSION, { ...OPENED, name: 'North' }, { name: 'South' });
  expect(mergeFields(first.version, { ...OPENED, name: 'North' }, { name: 'South' })).toMatchObject({
    change: { name: 'South' },
    conflicts: [],
  });
  expect(mergeFields(first.version, { ...OPENED, name: 'West' }, { name: 'South' }).conflicts).toEqual([
    { field: 'name', yours: 'South', theirs: 'West' },
  ]);
  // Their value was taken over.
  expect(mergeFields(first.version, { ...OPENED, name: 'West' }, { name: 'North' })).toMatchObject({
    change: {},
    conflicts: [],
  });
});

test('options are merged one by one: added, changed and removed by either side', () => {
  const opened = { config: { limit: { kind: 'day', max: 1 }, skip: 1, age: 18, old: true } };
  const theirs = {
    config: { limit: { kind: 'day', max: 3 }, skip: 1, old: true, phone: { required: true } },
  };
  const mine = { config: { limit: { kind: 'week', max: 1 }, skip: 1, age: 18, region: 'de' } };
  expect(mergeFields(versionOf(opened), theirs, mine)).toMatchObject({
    change: {
      config: { limit: { kind: 'week', max: 3 }, skip: 1, phone: { required: true }, region: 'de' },
    },
    conflicts: [],
  });
});

test('removing what somebody else changed is a conflict', () => {
  const merge = mergeFields(VERSION, { ...OPENED, config: { skip: 2 } }, { config: {} });
  expect(merge.conflicts).toEqual([{ field: 'config.skip', yours: null, theirs: 2 }]);
});

test.each([
  '',
  'garbage',
  Buffer.from('[1]').toString('base64url'),
  Buffer.from('{"name":1}').toString('base64url'),
])('the version %j knows nothing, so what differs is a conflict', (version) => {
  const merge = mergeFields(version, OPENED, { ...OPENED, name: 'South' });
  expect(merge.conflicts.map(({ field }) => field)).toEqual(['name']);
});

test('a name like a property of all objects is a field like any other', () => {
  const sent = JSON.parse('{"config":{"__proto__":{"admin":true},"skip":1}}') as typeof OPENED;
  const { change } = mergeFields(VERSION, OPENED, sent);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
  expect(Object.keys(change.config ?? {})).toContain('__proto__');
});
