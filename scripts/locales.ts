/** `npm run locales` writes the types of the catalogues; with `--check` it only reports problems. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './assets/paths.ts';
import { readCatalogue } from '../locales/compile.ts';
import { messagesIn, type Named, problemsOf, undescribedIn, unusedIn } from './locales/check.ts';
import { archiveNewTexts } from './locales/consent.ts';
import { catalogueNames, readText, TYPES } from './locales/files.ts';
import { indexOf, typesOf } from './locales/types.ts';
import { LANGUAGES } from '../server/contract/languages.ts';

const names = catalogueNames();
const files = new Map([
  ...names.map((name) => [`${name}.ts`, typesOf(name, readText('en', name))] as const),
  ['index.ts', indexOf(names)],
]);

function write(): void {
  rmSync(TYPES, { recursive: true, force: true });
  mkdirSync(TYPES, { recursive: true });
  for (const [name, text] of files) writeFileSync(path.join(TYPES, name), text);
  const digests = archiveNewTexts();
  if (digests.length > 0) console.log(['Add to CONSENT_DIGESTS:', ...digests].join('\n'));
}

function problems(): string[] {
  const found = [...files]
    .filter(([name, text]) => text !== readFileSync(path.join(TYPES, name), 'utf8'))
    .map(([name]) => `locales/types/${name} is out of date: run "npm run locales".`);
  const sources = sourceNames();
  for (const name of names) {
    const english = readCatalogue(readText('en', name));
    const en = english.messages;
    const others = LANGUAGES.map((language) => [language, messagesIn(readText(language, name))] as const);
    found.push(...problemsOf(name, { ...Object.fromEntries(others), en }));
    found.push(...unusedIn(en, sources).map((key) => `en/${name}.json, ${key}: used nowhere.`));
    found.push(
      ...undescribedIn(english).map((key) => `en/${name}.json, @${key}: missing, or describes nothing.`),
    );
  }
  return found;
}

/** Every name in the product’s sources, and in the build, which writes messages into documents. */
function sourceNames(): Named {
  const words = new Set<string>();
  const endings = new Set<string>();
  for (const file of globSync('{vite.config.ts,{renderer,server,electron}/**/*.{ts,tsx}}', {
    cwd: PROJECT_ROOT,
  })) {
    const text = readFileSync(path.join(PROJECT_ROOT, file), 'utf8');
    for (const [word] of text.matchAll(/\w+/g)) words.add(word);
    for (const [, end = ''] of text.matchAll(/\}(\w+)`/g)) endings.add(end);
  }
  return { words, endings };
}

if (process.argv.includes('--check')) {
  const found = problems();
  for (const problem of found) console.log(problem);
  process.exitCode = found.length === 0 ? 0 : 1;
} else write();
