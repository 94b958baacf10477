/**
 * The guide for integrators as Markdown, for tools and language models: the chapters of the documentation, the reference made from
 * the OpenAPI document, and `llms.txt`, which lists them. Written by the build, so that the service has them without a network.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PublicDocument } from '../../server/routes/docs/document.ts';
import { publicDocument } from '../../server/routes/docs/openapi.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Where an integrator’s own address belongs. */
const BASE_URL = 'https://verify.example.org';

/** In reading order, each with what it answers. The name of a file is its address: `/docs/limits.md`. */
export const CHAPTERS: readonly (readonly [file: string, about: string])[] = [
  ['docs/tutorial/first-guest.md', 'start Gatehouse, check a guest in, read a result'],
  [
    'docs/how-to/connect-ticketing.md',
    'keys, sessions and results, packages, embedding, a server in the venue',
  ],
  ['docs/how-to/move-from-another-service.md', 'what stays the same, what differs, and what cannot be moved'],
  ['docs/how-to/receive-webhooks.md', 'destinations, signatures, retries'],
  ['docs/reference/events.md', 'webhook events, messages of an embedded check, results and reasons'],
  [
    'docs/reference/interface.md',
    'what can change, and every edge of requests, sessions, results, v1 and v2',
  ],
  ['docs/reference/settings.md', 'each option of a verification, and the settings of the service'],
  ['docs/reference/limits.md', 'rates, lengths, lifetimes'],
  ['docs/reference/browsers.md', 'browsers that the pages and the SDK support'],
  ['docs/how-to/go-live.md', 'what to do before real guests come'],
  ['CHANGELOG.md', 'what changed'],
];
const REFERENCE = 'reference.md';

const nameOf = (file: string): string => path.posix.basename(file).toLowerCase();
const TITLES = /^# (.+)$/m;

/** The files of the guide by their names. */
export async function guideFiles(): Promise<ReadonlyMap<string, string>> {
  const chapters = await Promise.all(
    CHAPTERS.map(async ([file, about]) => {
      const text = chapterOf(file, await readFile(path.join(ROOT, file), 'utf8'));
      return { name: nameOf(file), about, text, title: TITLES.exec(text)?.[1] ?? file };
    }),
  );
  const document = await publicDocument(BASE_URL);
  const index = [
    '# Gatehouse',
    '',
    '> Checks at a venue’s door that each guest is a live person who hasn’t been through before. Your server starts a check, sends the guest to a hosted page, and reads the result.',
    '',
    '## Guide',
    '',
    ...chapters.map(({ name, title, about }) => `- [${title}](/docs/${name}): ${about}`),
    '',
    '## Reference',
    '',
    `- [Reference](/docs/${REFERENCE}): every operation of v3, v2 and v1 with examples and errors`,
    '- [OpenAPI](/openapi.json): the same for machines, also as [YAML](/openapi.yaml) and as a [Postman collection](/postman.json)',
    '- [Packages](/sdk/): for browsers and for Node.js servers',
    '',
  ];
  return new Map([
    ['llms.txt', index.join('\n')],
    [REFERENCE, referenceOf(document)],
    ...chapters.map(({ name, text }) => [name, text] as const),
  ]);
}

/** A page with links to the other chapters only, and without the marks of its tests and pictures. */
function chapterOf(file: string, text: string): string {
  const served = new Map(CHAPTERS.map(([chapter]) => [chapter, nameOf(chapter)]));
  return text
    .replaceAll(/^!\[.*\]\(.*\)\n+/gm, '')
    .replaceAll(/^( *```\w+) .*$/gm, '$1')
    .replaceAll(
      /\[([^\]]+)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]+)?\)/g,
      (_, words: string, target: string, anchor = '') => {
        if (target === '') return `[${words}](${anchor})`;
        const name = served.get(path.posix.join(path.posix.dirname(file), target));
        return name === undefined ? words : `[${words}](/docs/${name}${anchor})`;
      },
    );
}

type Example = { example?: unknown };
type Operation = {
  tags: [string];
  summary: string;
  description: string;
  deprecated?: boolean;
  requestBody?: { content: { 'application/json': Example } };
  responses: Record<
    string,
    {
      description: string;
      content?: { 'application/json': Example };
      'x-codes'?: { code: string; meaning: string; action: string }[];
    }
  >;
  'x-key': string;
};

function referenceOf({ info, paths, ...document }: PublicDocument): string {
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at, method, ...(operation as Operation) })),
  );
  const reasons = document['x-reasons'] as { code: string; meaning: string }[];
  return [
    `# Reference\n\n${info.description}\n`,
    ...['v3', 'v2', 'v1'].flatMap((generation) => [
      `## ${generation}\n`,
      ...operations.filter(({ tags }) => tags[0] === generation).map(operationOf),
    ]),
    '## Reasons\n',
    ...reasons.map(({ code, meaning }) => `- \`${code}\`: ${meaning}`),
    '',
  ].join('\n');
}

function operationOf(operation: Operation & { at: string; method: string }): string {
  const { at, method, summary, description, deprecated, requestBody, responses } = operation;
  const sent = requestBody?.content['application/json'].example;
  const errors = Object.entries(responses).flatMap(([status, { 'x-codes': codes = [] }]) =>
    codes.map(({ code, meaning, action }) => `- ${status} \`${code}\`: ${meaning} ${action}`),
  );
  return [
    `### ${summary}\n\n\`${method.toUpperCase()} ${at}\`${deprecated ? ' (deprecated)' : ''}\n\n${description}\n`,
    `Key: ${operation['x-key']}.\n`,
    ...(sent === undefined ? [] : [`Request:\n\n${json(sent)}`]),
    `Reply:\n\n${json(responses['200']?.content?.['application/json'].example)}`,
    `Errors:\n\n${errors.join('\n')}\n`,
  ].join('\n');
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

/** @param outDir the folder of the built pages of `/docs` */
export async function writeGuide(outDir: string): Promise<void> {
  const folder = path.join(outDir, 'guide');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of await guideFiles()) await writeFile(path.join(folder, name), text);
}
