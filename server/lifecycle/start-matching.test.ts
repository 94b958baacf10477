import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createLogger } from '../http/logging.ts';
import { startMatching } from './start-matching.ts';
import type { Database } from '../store/sql/port.ts';
import { openTempStore } from '../../testing/store/temp-store.ts';

const config = {
  modelDir: path.join(import.meta.dirname, 'no-models-here'),
  manifestDir: path.resolve(import.meta.dirname, '../../assets/models'),
};
const logger = createLogger('silent');

test('the index is loaded for the engine’s model, even if its files are missing', async () => {
  const { faces, faceIndex } = await startMatching(config, await openTempStore(), logger);
  expect(faces.embeddingModel).toMatch(/\S/);
  expect(faceIndex.bytes()).toBe(0);
  await faceIndex.close();
  await faces.close();
});

test('a store that cannot be read stops the start with its own message', async () => {
  const failing: Database = {
    ...(await openTempStore()),
    all: vi.fn().mockRejectedValue(new Error('The database is damaged.')),
    one: vi.fn().mockRejectedValue(new Error('The database is damaged.')),
  };
  await expect(startMatching(config, failing, logger)).rejects.toThrow('The database is damaged.');
});
