/** `npm run locales` writes the types of the catalogues. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { catalogueNames, readText, TYPES } from './locales/files.ts';
import { indexOf, typesOf } from './locales/types.ts';

const names = catalogueNames();
rmSync(TYPES, { recursive: true, force: true });
mkdirSync(TYPES, { recursive: true });
for (const name of names) writeFileSync(path.join(TYPES, `${name}.ts`), typesOf(name, readText('en', name)));
writeFileSync(path.join(TYPES, 'index.ts'), indexOf(names));
