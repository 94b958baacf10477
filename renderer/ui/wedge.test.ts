import { expect, test } from 'vitest';
import { createWedge } from './wedge.ts';

function typed(text: string, apartMs: number): { codes: string[]; swallowed: string[] } {
  const codes: string[] = [];
  const wedge = createWedge((code) => codes.push(code));
  const keys = Array.from(text, (key) => (key === '\n' ? 'Enter' : key));
  return { swallowed: keys.filter((key, index) => wedge.key(key, 1_000 + index * apartMs)), codes };
}

test('a scanner’s keys are a code, and act on nothing else', () => {
  const { codes, swallowed } = typed('=4g 3+Z\n', 5);
  expect(codes).toEqual(['=4g 3+Z']);
  expect(swallowed).toEqual(['4', 'g', ' ', '3', '+', 'Z', 'Enter']);
});

test('a person’s keys are no code', () => {
  expect(typed('hello\n', 120)).toEqual({ codes: [], swallowed: [] });
});

test('two codes in a row are two', () => {
  expect(typed('AAAA1\nBBBB2\n', 10).codes).toEqual(['AAAA1', 'BBBB2']);
});

test('Shift between the keys belongs to none', () => {
  const codes: string[] = [];
  const wedge = createWedge((code) => codes.push(code));
  for (const [index, key] of ['Shift', 'A', 'Shift', 'B', 'c', '1', 'Enter'].entries())
    wedge.key(key, index * 8);
  expect(codes).toEqual(['ABc1']);
});

test('Enter on a button after a pause stays Enter', () => {
  const wedge = createWedge(() => undefined);
  for (const [index, key] of ['A', 'B', 'C', 'D'].entries()) wedge.key(key, index * 8);
  expect(wedge.key('Enter', 2_000)).toBe(false);
});
