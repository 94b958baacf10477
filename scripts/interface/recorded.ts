/** The shape of the interface that was recorded last: what integrators may rely on, without words and examples. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PROJECT_ROOT } from '../assets/paths.ts';
import type { PublicDocument } from '../../server/routes/docs/document.ts';

export const RECORDED = path.join(PROJECT_ROOT, 'scripts/interface/shape.json');

export const readShape = async (): Promise<PublicDocument> =>
  JSON.parse(await readFile(RECORDED, 'utf8')) as PublicDocument;

const WORDS = new Set(['description', 'summary', 'example', 'examples', 'meaning', 'action', 'headers']);

/** The document without what may change at any time. */
export const shapeOf = ({ paths, webhooks, components }: PublicDocument): object => ({
  paths: withoutWords(paths),
  webhooks: withoutWords(webhooks),
  components: { schemas: withoutWords(components.schemas) },
});

/** Names of fields stay, also those that are words here. */
function withoutWords(value: unknown, isNames = true): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutWords(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !WORDS.has(name))
      .map(([name, inner]) => [name, withoutWords(inner, name === 'properties')]),
  );
}
