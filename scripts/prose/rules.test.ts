import { expect, test } from 'vitest';
import { commentsIn, findingsIn, longSubjectsIn, proseOf, stringsIn, testNamesIn } from './rules.ts';

const found = (text: string) => findingsIn(text).map((finding) => finding.found);

test('the rules find their phrases, each time, and leave ordinary sentences alone', () => {
  expect(found('Whoever drains listens for the signal.')).toEqual(['Whoever']);
  expect(found('It goes on by itself with what is there.')).toEqual(['goes on', 'by itself', 'with what is']);
  expect(found('The page goes on to the next step. What is the address? Nobody waits here.')).toEqual([
    'Nobody waits',
  ]);
  expect(found('Mend it, mended.')).toEqual(['Mend', 'mended']);
});

test('phrases of comments that read like a translation are found', () => {
  expect(found('Nothing stands against it; a flat one hardly moves.')).toEqual(['stands against', 'hardly']);
  expect(found('Set for good: its time moves on, as evidence neither way.')).toEqual([
    'for good',
    'moves on',
    'neither way',
  ]);
  expect(found('Who is shut out stays so; a place with this name is none.')).toEqual([
    'shut out',
    'name is none',
  ]);
  expect(found('Badge; a countdown such as "5 hr" follows.')).toEqual(['countdown such as "5 hr" follows']);
  expect(found('A good reason. The head moves on the ring. Null if there is none.')).toEqual([]);
});

test('comments, test names, strings and Markdown are read without the code around them', () => {
  const source =
    "/** Found by\n * itself. */\nconst url = 'https://a.example'; // Read anew.\ntest('goes on', run);";
  expect(found(commentsIn(source))).toEqual(['by itself', 'anew']);
  expect(testNamesIn(source)).toBe('goes on');
  expect(stringsIn(source)).toContain('https://a.example');
  expect(found(proseOf('The build goes\non. `mend` ```\nanew\n```'))).toEqual(['goes on']);
});

test('a commit subject has at most 72 characters', () => {
  expect(longSubjectsIn(`${'a'.repeat(72)}\n${'b'.repeat(73)}\n`)).toEqual(['b'.repeat(73)]);
});
