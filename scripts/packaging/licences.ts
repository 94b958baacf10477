/**
 * The list of other people's parts in Gatehouse with their licences, `THIRD-PARTY-LICENSES.txt`, which every package contains:
 * `node scripts/packaging/licences.ts` writes it. Libraries that a build puts into the pages are there with the text of their licence,
 * because their folders are not in a package.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readManifests } from '../../server/face/models/manifest.ts';
import { PROJECT_ROOT } from '../assets/paths.ts';

export const LICENCES_FILE = 'THIRD-PARTY-LICENSES.txt';

type Locked = { version?: string; license?: string; dev?: boolean; dependencies?: Record<string, string> };
type Lock = { packages: Record<string, Locked> };

const textOf = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

/** Package names in the imports of the pages, their styles included. */
function importedByPages(): Set<string> {
  const files = readdirSync(path.join(PROJECT_ROOT, 'renderer'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(tsx?|css)$/.test(file) && !/\.(test|d)\.tsx?$/.test(file));
  const imports = sources
    .map((file) => textOf(path.join('renderer', file)))
    // Helpers of tests are in no page.
    .filter((source) => !source.includes("from 'vitest'"))
    .flatMap((source) => [
      ...source.matchAll(/(?:from|import\(?|url\()\s*['"]((?:@[\w-]+\/)?[a-z][\w.-]*)/g),
    ]);
  return new Set(imports.map(([, name = '']) => name));
}

/** The place of a dependency: below the package that needs it, else at the top. */
function placeOf({ packages }: Lock, name: string, from: string): string | undefined {
  return [`${from}/node_modules/${name}`, `node_modules/${name}`].find((place) => packages[place]);
}

/** With everything that they need. */
function withDependencies(lock: Lock, places: Iterable<string>): string[] {
  const found = new Set(places);
  for (const place of found)
    for (const name of Object.keys(lock.packages[place]?.dependencies ?? {})) {
      const needed = placeOf(lock, name, place);
      if (needed !== undefined) found.add(needed);
    }
  return [...found].sort(byName);
}

const byName = (one: string, other: string): number => nameOf(one).localeCompare(nameOf(other), 'en');
const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13);

/** The file of the package that grants its licence. */
function grantOf(place: string): string {
  const file = readdirSync(path.join(PROJECT_ROOT, place))
    .toSorted()
    .find((name) => /^licen[cs]e/i.test(name));
  return file === undefined ? '' : textOf(path.join(place, file)).replaceAll('\r\n', '\n').trim();
}

/** The text of the list. */
export function thirdPartyLicences(): string {
  const lock = JSON.parse(textOf('package-lock.json')) as Lock;
  const line = (place: string) => {
    const { version = '', license = 'see its text below' } = lock.packages[place] ?? {};
    return `${nameOf(place)} ${version}: ${license}`;
  };
  const isLocked = (place: string) => lock.packages[place] !== undefined;
  const inPages = withDependencies(
    lock,
    [...importedByPages()].map((name) => `node_modules/${name}`).filter(isLocked),
  );
  const inService = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && dev !== true && !inPages.includes(place))
    .map(([place]) => place)
    .sort(byName);
  const models = readManifests(path.join(PROJECT_ROOT, 'assets/models'));
  const texts = Map.groupBy(inPages, grantOf);
  texts.delete('');
  const electron = lock.packages['node_modules/electron'];
  return [
    'Parts of Gatehouse that other people made, with their licences.',
    'Written by scripts/packaging/licences.ts. The file sbom.cdx.json of a package has their hashes.',
    '',
    'DESKTOP APP',
    `electron ${electron?.version ?? ''}: ${electron?.license ?? ''}. The licences of Chromium and Node.js, which it contains, are in LICENSES.chromium.html of a package.`,
    '',
    'FACE MODELS',
    ...models.map(({ file, version, licence }) => `${file} ${version}: ${licence}`),
    '',
    'LIBRARIES OF THE SERVICE',
    'The text of each licence is in the folder of the library below node_modules, in a package too.',
    'sharp uses libvips (LGPL-3.0-or-later) as a separate shared library, which can be replaced.',
    ...inService.map(line),
    '',
    'LIBRARIES AND FONTS IN THE PAGES',
    ...inPages.map(line),
    '',
    'LICENCE TEXTS OF THE LIBRARIES AND FONTS IN THE PAGES',
    ...[...texts].flatMap(([text, places]) => ['', '-'.repeat(80), places.map(nameOf).join(', '), '', text]),
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(path.join(PROJECT_ROOT, LICENCES_FILE), thirdPartyLicences());
