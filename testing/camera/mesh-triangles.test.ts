import { expect, test } from 'vitest';
import { storedZip } from '../../scripts/assets/tflite/stored-zip.ts';
import { meshTriangles } from './mesh-triangles.ts';

const NAME = 'geometry_pipeline_metadata_landmarks.binarypb';
/** canonical_mesh (field 1) with index_buffer (field 4) as six varints, the last of two bytes. */
const PACKED = Uint8Array.of(0x0a, 9, 0x22, 7, 0, 1, 2, 2, 1, 0xd3, 0x03);
const UNPACKED = Uint8Array.of(0x0a, 7, 0x20, 5, 0x20, 6, 0x20, 0xd3, 0x03);

test('triangles are read from the packed index buffer', () => {
  const task = storedZip([
    { name: 'model.tflite', body: new Uint8Array(5) },
    { name: NAME, body: PACKED },
  ]);
  expect(meshTriangles(task)).toEqual([
    [0, 1, 2],
    [2, 1, 467],
  ]);
});

test('triangles are read from an index buffer of single values', () => {
  expect(meshTriangles(storedZip([{ name: NAME, body: UNPACKED }]))).toEqual([[5, 6, 467]]);
});

test('a task without the mesh is refused', () => {
  expect(() => meshTriangles(storedZip([{ name: 'other', body: PACKED }]))).toThrow(/holds no/);
});
