/** Writes the TypeScript type of each catalogue, so that a missing message or a wrong argument does not compile. */
import { TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { compileCatalogue, type Compiled } from '../../locales/compile.ts';

const typeName = (catalogue: string): string =>
  `${catalogue.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Messages`;

/** Arguments of a message with their types, in the order in which they first appear. */
export function argumentsOf(elements: readonly MessageFormatElement[]): Map<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, type: string) => {
    // A number that is a plural count in one place and displayed in another is a number.
    if (!found.has(name) || found.get(name) === PLAIN) found.set(name, type);
  };
  const visit = (element: MessageFormatElement): void => {
    switch (element.type) {
      case TYPE.argument:
        add(element.value, PLAIN);
        return;
      case TYPE.number:
        add(element.value, 'number');
        return;
      case TYPE.plural:
        add(element.value, 'number');
        Object.values(element.options).forEach(({ value }) => value.forEach(visit));
        return;
      case TYPE.select:
        add(element.value, choices(Object.keys(element.options)));
        Object.values(element.options).forEach(({ value }) => value.forEach(visit));
        return;
      case TYPE.literal:
      case TYPE.pound:
        return;
      case TYPE.date:
      case TYPE.time:
      case TYPE.tag:
        throw new SyntaxError(
          `Pass “${element.value}” as text: dates and markup are not the message’s to make.`,
        );
    }
  };
  elements.forEach(visit);
  return found;
}

const PLAIN = 'string | number';

const choices = (options: readonly string[]): string =>
  options.map((option) => (option === 'other' ? 'string & {}' : `'${option}'`)).join(' | ');

/** The file of one catalogue's type. */
export function typesOf(catalogue: string, english: string): string {
  const type = typeOf(compileCatalogue(english), '');
  const imports = type.includes(PAIR) ? `import type { ${PAIR} } from '../format.ts';\n\n` : '';
  return `${HEADER}${imports}export type ${typeName(catalogue)} = ${type};\n`;
}

/** The file that names every catalogue. */
export function indexOf(catalogues: readonly string[]): string {
  const imports = catalogues.map((name) => `import type { ${typeName(name)} } from './${name}.ts';\n`);
  const entries = catalogues.map((name) => `  ${quoted(name)}: ${typeName(name)};\n`);
  return `${HEADER}${imports.join('')}\nexport type Catalogues = {\n${entries.join('')}};\n`;
}

/** Most screens have a title and a text. */
const PAIR = 'TitleAndText';

const HEADER = '// Written by `npm run locales` from locales/en. Do not edit.\n';

function typeOf(compiled: Compiled, indent: string): string {
  if (typeof compiled === 'string') return 'string';
  if (Array.isArray(compiled)) return functionType(compiled as readonly MessageFormatElement[]);
  const entries = Object.entries(compiled as Readonly<Record<string, Compiled>>);
  const inner = `${indent}  `;
  if (entries.every(([key], index) => key === String(index + 1))) {
    const types = [...new Set(entries.map(([, value]) => typeOf(value, indent)))];
    return `readonly (${types.map((type) => (type.includes('=>') ? `(${type})` : type)).join(' | ')})[]`;
  }
  if (
    entries.every(([, value]) => typeof value === 'string') &&
    entries.map(([key]) => key).join() === 'title,text'
  )
    return PAIR;
  const lines = entries.map(([key, value]) => `${inner}${quoted(key)}: ${typeOf(value, inner)};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function functionType(elements: readonly MessageFormatElement[]): string {
  const fields = [...argumentsOf(elements)].map(([name, type]) => `${quoted(name)}: ${type}`);
  return `(values: { ${fields.join('; ')} }) => string`;
}

const quoted = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`);
