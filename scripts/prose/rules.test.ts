import { expect, test } from 'vitest';
import { commentsIn, findingsIn, proseOf, stringsIn, testNamesIn } from './rules.ts';

const names = (text: string) => [...findingsIn(text).keys()];

test('the rules find the phrases they name, and leave ordinary sentences alone', () => {
  expect(names('Whoever drains listens for the signal.')).toEqual(['whoever']);
  expect(names('It goes on by itself with what is there.')).toEqual([
    'goes on',
    'by itself',
    'what is … as a noun',
  ]);
  expect(names('The page goes on to the next step. What is the address? Nobody waits here.')).toEqual([
    'no one fits',
  ]);
});

test('each finding is counted', () => {
  expect(findingsIn('Mend it, mended.')).toEqual(new Map([['mend', 2]]));
});

test('comments, test names, strings and Markdown are read without the code around them', () => {
  const source =
    "/** Found by\n * itself. */\nconst url = 'https://a.example'; // Read anew.\ntest('goes on', run);";
  expect(names(commentsIn(source))).toEqual(['by itself', 'anew']);
  expect(testNamesIn(source)).toBe('goes on');
  expect(stringsIn(source)).toContain('https://a.example');
  expect(names(proseOf('The build goes\non. `mend` ```\nanew\n```'))).toEqual(['goes on']);
});
