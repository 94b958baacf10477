import { expect, test } from 'vitest';
import { prettyJson } from './pretty-json.ts';

test('JSON is shown with one value a line', () => {
  expect(prettyJson('{"a":1,"b":[2]}')).toBe('{\n  "a": 1,\n  "b": [\n    2\n  ]\n}');
});

test.each(['', 'OK', '{"a":', '<html>'])('another text stays as it is: %s', (text) => {
  expect(prettyJson(text)).toBe(text);
});
