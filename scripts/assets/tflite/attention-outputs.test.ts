import { expect, test } from 'vitest';
import { joinAttentionOutputs, landmarkSources } from './attention-outputs.ts';

const graph = { value: () => 0, constant: () => 0, operator: () => undefined };

test('each of the 478 points has three sources inside the joined outputs', () => {
  const sources = landmarkSources();
  expect(sources).toHaveLength(478 * 3);
  expect(Math.min(...sources)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...sources)).toBe(1869);
});

test('refined lips and eyes replace x and y of the mesh and keep its depth', () => {
  const sources = landmarkSources();
  const lipCorner = 61;
  expect([...sources.subarray(3 * lipCorner, 3 * lipCorner + 3)]).toEqual([1404, 1405, 3 * lipCorner + 2]);
  const noseTip = 1;
  expect([...sources.subarray(3 * noseTip, 3 * noseTip + 3)]).toEqual([3, 4, 5]);
});

test('the ten iris points take the depth of their own eye', () => {
  const sources = landmarkSources();
  expect(sources[3 * 468 + 2]).toBe(1868);
  expect(sources[3 * 477 + 2]).toBe(1869);
});

test('a model with other outputs is refused', () => {
  expect(() => joinAttentionOutputs(graph, [0, 1])).toThrow(/7 outputs/);
});
