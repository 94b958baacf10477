/**
 * Compiles a message catalogue: one JSON file per language and capability, in the layout of ARB
 * (docs/explanation/messages.md).
 */
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** A text without arguments, or the syntax tree of one with arguments; keys are nested at their dots. */
export type Compiled = string | readonly MessageFormatElement[] | { readonly [key: string]: Compiled };

export type CatalogueFile = {
  /** ICU messages by key, in the order of the file. */
  messages: ReadonlyMap<string, string>;
  /** Where each message is shown, by key; only in the English file. */
  descriptions: ReadonlyMap<string, string>;
};

/** @throws SyntaxError if the text is not JSON of messages */
export function readCatalogue(text: string): CatalogueFile {
  const messages = new Map<string, string>();
  const descriptions = new Map<string, string>();
  for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
    if (typeof value === 'string') messages.set(key, value);
    else if (key.startsWith('@') && isDescribed(value)) descriptions.set(key.slice(1), value.description);
    else throw new SyntaxError(`“${key}” is neither a message nor a description.`);
  }
  return { messages, descriptions };
}

const isDescribed = (value: unknown): value is { description: string } =>
  typeof value === 'object' &&
  value !== null &&
  'description' in value &&
  typeof value.description === 'string';

/** @throws SyntaxError if the message is not ICU MessageFormat; `<` is an ordinary character */
export const parseMessage = (message: string): MessageFormatElement[] =>
  parse(message, { ignoreTag: true, requiresOtherClause: true });

/** The text of a message without arguments; null for one with arguments. */
function plainText(elements: readonly MessageFormatElement[]): string | null {
  if (elements.length === 0) return '';
  const [first, second] = elements;
  return second === undefined && first?.type === TYPE.literal ? first.value : null;
}

/** @throws SyntaxError if a message does not parse, or a key is both a message and the prefix of another's */
export function compileCatalogue(text: string): Compiled {
  const tree: Tree = {};
  for (const [key, message] of readCatalogue(text).messages) {
    const elements = parseMessage(message);
    plant(tree, key, plainText(elements) ?? elements);
  }
  return tree;
}

type Tree = { [key: string]: Compiled };

function plant(tree: Tree, key: string, leaf: Compiled): void {
  const path = key.split('.');
  const name = path.pop() ?? '';
  let at = tree;
  for (const part of path) {
    const below = (at[part] ??= {});
    if (typeof below === 'string' || Array.isArray(below))
      throw new SyntaxError(`“${key}” is below a message.`);
    at = below as Tree;
  }
  if (name in at) throw new SyntaxError(`“${key}” is a message and a group of messages.`);
  at[name] = leaf;
}
