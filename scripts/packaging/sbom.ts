/** The bill of materials of a package (CycloneDX): npm's data about the runtime libraries, and the models. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readManifests } from '../../server/face/models/manifest.ts';
import { PROJECT_ROOT } from '../assets/paths.ts';

export const SBOM_FILE = 'sbom.cdx.json';

type Component = {
  'bom-ref': string;
  type: string;
  name: string;
  version?: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  properties?: { name: string; value: string }[];
  licenses?: { license: { id?: string; name?: string } }[];
};

export type Sbom = {
  bomFormat: 'CycloneDX';
  specVersion: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
};

type Model = Pick<ReturnType<typeof readManifests>[number], 'file' | 'version' | 'sha256' | 'licence'>;

/**
 * npm's `--omit dev` also leaves out our libraries that some tool has as a development dependency; its mark on each
 * part is right.
 */
const isTool = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** @param installed npm's bill of all installed packages */
function completeSbom(
  installed: Sbom,
  { electronVersion, models }: { electronVersion: string; models: readonly Model[] },
): Sbom {
  const electron: Component = {
    'bom-ref': `electron@${electronVersion}`,
    type: 'framework',
    name: 'electron',
    version: electronVersion,
    purl: `pkg:npm/electron@${electronVersion}`,
  };
  const added = [electron, ...models.map(modelComponent)];
  const libraries = installed.components.filter((part) => !isTool(part));
  const app = installed.metadata.component;
  const shipped = new Set([app, ...libraries].map((part) => part['bom-ref']));
  const uses = installed.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((used) => shipped.has(used)) }));
  return {
    ...installed,
    metadata: {
      ...installed.metadata,
      component: { ...app, type: 'application', name: 'gatehouse' },
    },
    components: [...libraries, ...added],
    dependencies: [
      ...uses.map((entry) =>
        entry.ref === app['bom-ref']
          ? { ...entry, dependsOn: [...entry.dependsOn, ...added.map((part) => part['bom-ref'])] }
          : entry,
      ),
      ...added.map((part) => ({ ref: part['bom-ref'], dependsOn: [] })),
    ],
  };
}

const modelComponent = ({ file, version, sha256, licence }: Model): Component => ({
  'bom-ref': `model:${file}`,
  type: 'machine-learning-model',
  name: file,
  version,
  hashes: [{ alg: 'SHA-256', content: sha256 }],
  licenses: [{ license: { name: licence } }],
});

/**
 * Writes the bill into the package's resources.
 * @throws if npm cannot create it
 */
export async function writeSbom(resources: string, electronVersion: string): Promise<void> {
  const isWindows = process.platform === 'win32';
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: PROJECT_ROOT,
    maxBuffer: 64 * 1024 * 1024,
    // On Windows npm is a shell script.
    shell: isWindows,
  });
  const models = readManifests(path.join(PROJECT_ROOT, 'assets/models'));
  const sbom = completeSbom(JSON.parse(stdout) as Sbom, { electronVersion, models });
  await writeFile(path.join(resources, SBOM_FILE), `${JSON.stringify(sbom, null, 2)}\n`);
}
