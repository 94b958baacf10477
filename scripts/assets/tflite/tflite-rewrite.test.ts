import { expect, test } from 'vitest';
import { writeFront } from './flatbuffer-front.ts';
import { FlatbufferReader } from './flatbuffer-reader.ts';
import { normalisationMetadata, rewriteTflite } from './tflite-rewrite.ts';

/** A graph without operators: one input, which is also the output. */
const model = writeFront(
  {
    table: [
      { slot: 0, i32: 3 },
      {
        slot: 2,
        ref: {
          refs: [
            {
              table: [
                {
                  slot: 0,
                  ref: { refs: [{ table: [{ slot: 3, ref: { str: 'in' } }] }] },
                },
                { slot: 1, ref: { i32: [0] } },
                { slot: 2, ref: { i32: [0] } },
              ],
            },
          ],
        },
      },
      { slot: 4, ref: { refs: [{ table: [] }] } },
    ],
  },
  'TFL3',
);

test('metadata names the mean and the spread of the first input', () => {
  const reader = new FlatbufferReader(normalisationMetadata({ mean: 127.5, std: 64 }));
  const [subgraph] = reader.targets(reader.root, 3);
  const [input] = reader.targets(subgraph!, 2);
  const [unit] = reader.targets(input!, 4);
  const options = reader.target(unit!, 1);
  expect(reader.float32s(options, 0)).toEqual([127.5]);
  expect(reader.float32s(options, 1)).toEqual([64]);
});

test('without an edit the graph is unchanged and only metadata is added', () => {
  const reader = new FlatbufferReader(rewriteTflite(model, { mean: 0, std: 255 }));
  const [subgraph] = reader.targets(reader.root, 2);
  expect(reader.int32s(subgraph!, 2)).toEqual([0]);
  const [metadata] = reader.targets(reader.root, 6);
  expect(reader.text(reader.target(metadata!, 0))).toBe('TFLITE_METADATA');
  expect(reader.targets(reader.root, 4)).toHaveLength(2);
});

test('an edit appends operators after the old ones and sets the outputs', () => {
  const rewritten = rewriteTflite(model, { mean: 0, std: 255 }, (graph, outputs) => {
    const middle = graph.value('middle', [1]);
    const result = graph.value('result', [1]);
    const indices = graph.constant('indices', [1], Int32Array.of(0));
    graph.operator('gather', [...outputs, indices], middle, [{ slot: 0, i32: 0 }]);
    graph.operator('gather', [middle, indices], result, [{ slot: 0, i32: 0 }]);
    return [result];
  });
  const reader = new FlatbufferReader(rewritten);
  const [subgraph] = reader.targets(reader.root, 2);
  const tensors = reader.targets(subgraph!, 0);
  expect(tensors.map((tensor) => reader.text(reader.target(tensor, 3)))).toEqual([
    'in',
    'middle',
    'result',
    'indices',
  ]);
  expect(reader.int32s(subgraph!, 1)).toEqual([0]);
  expect(reader.int32s(subgraph!, 2)).toEqual([2]);
  expect(reader.targets(subgraph!, 3).map((operator) => reader.int32s(operator, 1))).toEqual([
    [0, 3],
    [1, 3],
  ]);
  // One operator code serves both.
  expect(reader.targets(reader.root, 1)).toHaveLength(1);
});
