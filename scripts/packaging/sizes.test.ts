import { expect, test } from 'vitest';
import { overBudget, sizeRows, sizeTable } from './sizes.ts';

const MEGABYTE = 1_000_000;
const APP = 'resources/app.asar.unpacked';

test('each file counts once, in the first part that it belongs to', () => {
  const rows = sizeRows([
    { name: `${APP}/node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1`, bytes: 5 },
    { name: `${APP}/node_modules/fastify/fastify.js`, bytes: 2 },
    { name: 'resources/models/fr_detect.onnx', bytes: 3 },
    { name: 'gatehouse', bytes: 7 },
  ]);
  const found = rows.filter(({ bytes }) => bytes > 0).map(({ what, bytes }) => [what, bytes]);
  expect(found).toEqual([
    ['models’ runtime (onnxruntime-node)', 5],
    ['other npm packages', 2],
    ['face models', 3],
    ['Electron', 7],
  ]);
});

test('a part over its budget is reported with both sizes', () => {
  const rows = sizeRows([{ name: `${APP}/dist/server/cli.js`, bytes: 9 * MEGABYTE }]);
  expect(overBudget(rows)).toEqual(['server: 9.0 MB of 8.0 MB']);
  expect(sizeTable(rows)).toContain('together');
});

test('Electron has no budget', () => {
  expect(overBudget(sizeRows([{ name: 'gatehouse', bytes: 900 * MEGABYTE }]))).toEqual([]);
});
