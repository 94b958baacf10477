import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { MANIFEST_DIR, modelsDir } from '../../../scripts/assets/paths.ts';

const START = `
  const { createFaceEngine } = await import(${JSON.stringify(new URL('../engine.ts', import.meta.url).href)});
  const options = ${JSON.stringify({ modelDir: modelsDir(), manifestDir: MANIFEST_DIR, workers: 1 })};
  const engine = await createFaceEngine({ ...options, onEvent: () => undefined });
  await engine.close();
`;

it('the runtime of the models keeps no device ID and no report for its maker', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'gatehouse-home-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const { ORT_DISABLE_TELEMETRY: _, ...settings } = process.env;
  const script = path.join(home, 'start.mjs');
  await writeFile(script, START);
  const env = { ...settings, HOME: home, XDG_CACHE_HOME: home };
  const { stderr } = await promisify(execFile)(process.execPath, [script], { env });
  expect(await readdir(home, { recursive: true })).toEqual(['start.mjs']);
  expect(stderr).not.toMatch(/telemetry/i);
});
