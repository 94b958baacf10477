import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEngineManifests } from '../../server/face/models/manifest.ts';
import { openModel } from '../../server/face/models/model.ts';
import { flushTinyWeights, smallestWeight } from './flush-weights.ts';
import { MANIFEST_DIR, modelsDir } from './paths.ts';
import { drawnFace, LOOKS } from './testing/drawn-face.ts';
import { onnxOf } from './testing/samples.ts';

const INT64 = 7;

test('only float32 weights below the limit become 0, and nothing else changes', () => {
  const weights = [1, -1e-19, 1e-21, -1e-30, 1.4e-45, 0, -2];
  expect(flushTinyWeights(onnxOf(weights), 1e-20)).toEqual(
    new Uint8Array(onnxOf([1, -1e-19, 0, 0, 0, 0, -2])),
  );
  const integers = onnxOf(weights, INT64);
  expect(flushTinyWeights(integers, 1e-20)).toEqual(new Uint8Array(integers));
});

test('the file that was read does not change', () => {
  const file = onnxOf([1e-30]);
  flushTinyWeights(file, 1e-20);
  expect(file).toEqual(onnxOf([1e-30]));
});

test.each(['{"not": "a model"}', '\u003a\u007f'])('%j is refused', (text) => {
  expect(() => flushTinyWeights(Buffer.from(text), 1e-20)).toThrow(/not an ONNX file/);
});

test('no model in use has weights that cause denormal numbers', async () => {
  for (const { file } of Object.values(readEngineManifests(MANIFEST_DIR))) {
    expect(smallestWeight(await readFile(join(modelsDir(), file))), file).toBeGreaterThanOrEqual(1e-20);
  }
});

test('embeddings stay within a cosine of 0.999999 of those of the original model', async () => {
  const { embed } = readEngineManifests(MANIFEST_DIR);
  const model = await openModel(embed, modelsDir());
  const originals = JSON.parse(
    await readFile(join(import.meta.dirname, 'testing/original-embeddings.json'), 'utf8'),
  ) as string[];
  for (const [i, look] of LOOKS.entries()) {
    model.canvas.data.set(drawnFace(look, embed.input.width).data);
    const embedding = (await model.run())(embed.outputs.embedding);
    const original = new Float32Array(Uint8Array.from(Buffer.from(originals[i] ?? '', 'base64')).buffer);
    expect(cosineOf(embedding, original), `face ${i}`).toBeGreaterThan(0.999999);
  }
  await model.close();
});

function cosineOf(a: Float32Array, b: Float32Array): number {
  const dot = (p: Float32Array, q: Float32Array) => p.reduce((sum, value, i) => sum + value * (q[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
