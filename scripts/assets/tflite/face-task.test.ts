import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFaceTask } from './face-task.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'face-task-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const writePackage = (loader: string) => {
  writeFileSync(join(dir, 'face_mesh_solution_packed_assets_loader.js'), loader);
  writeFileSync(join(dir, 'face_mesh_solution_packed_assets.data'), 'nothing');
};

test('a package whose loader lists no files is refused', () => {
  writePackage('(() => {})();');
  expect(() => buildFaceTask(dir)).toThrow(/lists no files/);
});

test('a package without a model is refused by name', () => {
  writePackage('loadPackage({"files": [{"filename": "/other.tflite", "start": 0, "end": 7}]});');
  expect(() => buildFaceTask(dir)).toThrow(/face_detection_short_range/);
});
