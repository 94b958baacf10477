import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readManifests } from '../../server/face/models/manifest.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { PROJECT_ROOT } from '../assets/paths.ts';
import { type Sbom, SBOM_FILE, writeSbom } from './sbom.ts';

test('a package’s bill of materials lists every production dependency, Electron and the models with their hashes, and no tool', async () => {
  const folder = tempDir();
  await writeSbom(folder, '99.0.0');
  const sbom = JSON.parse(await readFile(path.join(folder, SBOM_FILE), 'utf8')) as Sbom;
  const project = JSON.parse(await readFile(path.join(PROJECT_ROOT, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { type: 'application', name: 'gatehouse' } },
  });
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(project.dependencies)));
  const tools = ['vitest', 'vite', 'typescript', 'oxlint', '@playwright/test', 'electron-builder'];
  expect(names.filter((name) => tools.includes(name))).toEqual([]);
  const libraries = sbom.components.filter(
    ({ purl }) => purl?.startsWith('pkg:npm/') && !purl.includes('/electron@'),
  );
  expect(libraries.filter(({ hashes }) => !hashes?.length)).toEqual([]);
  for (const { file, sha256 } of readManifests(path.join(PROJECT_ROOT, 'assets/models'))) {
    expect(sbom.components).toContainEqual(
      expect.objectContaining({
        type: 'machine-learning-model',
        name: file,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      }),
    );
  }
  // Every part is reachable from the app.
  const refs = new Set(sbom.components.map((part) => part['bom-ref']));
  expect(refs.size).toBe(sbom.components.length);
  const root = sbom.dependencies.find(({ ref }) => ref === sbom.metadata.component['bom-ref']);
  expect(root?.dependsOn).toEqual(expect.arrayContaining(['electron@99.0.0', 'model:fr_detect.onnx']));
});
