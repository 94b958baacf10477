import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftKey, dropDrafts, dropDraftsOfOthers, keepDraft, readDraft } from './drafts.ts';
import { stubbedStorage } from './storage.fixture.ts';

const draft = (text: string) => ({ opened: { text: '' }, version: 'v', values: { text } });
const KEY = draftKey('ana', '?company=c', 'note 1');

beforeEach(() => vi.stubGlobal('sessionStorage', stubbedStorage()));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a draft comes back with what it was opened with', () => {
  keepDraft(KEY, draft('half a sentence'));
  expect(readDraft(KEY)).toMatchObject(draft('half a sentence'));
});

test('signing out forgets all drafts, and another operator never sees one', () => {
  keepDraft(KEY, draft('a'));
  keepDraft(draftKey('ana2', '', 'note 1'), draft('b'));
  dropDraftsOfOthers('ana2');
  expect(readDraft(KEY)).toBeNull();
  expect(readDraft(draftKey('ana2', '', 'note 1'))).not.toBeNull();
  dropDrafts();
  expect(readDraft(draftKey('ana2', '', 'note 1'))).toBeNull();
});

test('of more than thirty the oldest gives way', () => {
  vi.useFakeTimers();
  for (let place = 0; place < 32; place += 1) {
    vi.setSystemTime(1_000 + place);
    keepDraft(draftKey('ana', '', `note ${place}`), draft(String(place)));
  }
  const kept = Array.from({ length: 32 }, (_, place) => readDraft(draftKey('ana', '', `note ${place}`)));
  expect(kept.map((one) => one === null).slice(0, 3)).toEqual([true, true, false]);
});

test('a text too long for the tab is not kept, and an older one of the same form neither', () => {
  keepDraft(KEY, draft('short'));
  keepDraft(KEY, draft('x'.repeat(70_000)));
  expect(readDraft(KEY)).toBeNull();
});

test('a full storage and a draft that is not ours are no errors', () => {
  vi.stubGlobal('sessionStorage', stubbedStorage(20));
  keepDraft(KEY, draft('more than fits'));
  expect(readDraft(KEY)).toBeNull();
  vi.stubGlobal('sessionStorage', stubbedStorage());
  for (const text of ['garbage', '1', '{"values":1}', 'null']) {
    sessionStorage.setItem(KEY, text);
    expect(readDraft(KEY)).toBeNull();
  }
});
