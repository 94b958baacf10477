/**
 * The pages of `/docs` as Markdown, for tools and language models as they are, for people as HTML: chapters of the documentation, and the
 * reference made from the OpenAPI document.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import type { OpenApiDocument } from './reference/openapi.ts';
import { errorsPage, eventsPage, operationPage, pathOf, reasonsPage } from './reference/pages.ts';
import { type Operation, readReference } from './reference/reference.ts';
import { BASE_URL } from './reference/samples.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export type GuidePage = {
  /** Below `/docs/`; its Markdown has `.md` after it. */
  path: string;
  group: string;
  title: string;
  /** What it answers, in a few words. */
  about: string;
  markdown: string;
  operation?: Operation;
};

/** The chapter at `/docs` itself. */
export const HOME = 'first-result';

/** In reading order, each with what it answers. The name of a file is its address: `/docs/limits`. */
export const CHAPTERS: readonly (readonly [group: string, file: string, about: string])[] = [
  ['Guide', 'docs/tutorial/first-result.md', 'from nothing to a verified guest, with copy and paste'],
  [
    'Guide',
    'docs/how-to/connect-ticketing.md',
    'keys, sessions and results, packages, a server in the venue',
  ],
  ['Guide', 'docs/how-to/embed.md', 'the browser SDK, its options, and who may embed'],
  [
    'Guide',
    'docs/how-to/receive-webhooks.md',
    'destinations, signatures, retries, receivers in four languages',
  ],
  ['Guide', 'docs/how-to/test-an-integration.md', 'test faces, test tokens, what only test keys can do'],
  ['Guide', 'docs/how-to/go-live.md', 'what to do before real guests come'],
  ['Guide', 'docs/how-to/import-people.md', 'people, metadata and earlier verdicts of another service'],
  [
    'Guide',
    'docs/how-to/move-from-another-service.md',
    'what stays the same, what differs, what cannot be moved',
  ],
  [
    'Guide',
    'docs/reference/samples-of-the-original.md',
    'published samples of the original, and what differs here',
  ],
  ['Rules', 'docs/reference/interface.md', 'what can change, every edge of requests, v1 and v2'],
  ['Rules', 'docs/reference/sessions.md', 'every edge of sessions, links, results and devices'],
  ['Rules', 'docs/reference/options.md', 'each option of a verification and of `config`'],
  ['Rules', 'docs/reference/events.md', 'webhook events, messages of an embedded check, results and reasons'],
  ['Rules', 'docs/reference/limits.md', 'rates, lengths, lifetimes'],
  ['Rules', 'docs/reference/browsers.md', 'browsers that the pages and the SDK support'],
  ['More', 'docs/tutorial/first-guest.md', 'check a guest in at a kiosk'],
  ['More', 'docs/reference/settings.md', 'settings of the service'],
  ['More', 'CHANGELOG.md', 'what changed'],
];

const nameOf = (file: string): string => path.posix.basename(file, '.md').toLowerCase();
const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';

export async function guidePages(): Promise<readonly GuidePage[]> {
  const reference = readReference((await publicDocument(BASE_URL)) as unknown as OpenApiDocument);
  const chapters = await Promise.all(
    CHAPTERS.map(async ([group, file, about]) => {
      const markdown = await chapterOf(file);
      return { path: nameOf(file), group, title: titleOf(markdown), about, markdown };
    }),
  );
  const generated = (name: string, group: string, about: string, markdown: string): GuidePage => ({
    path: name,
    group,
    title: titleOf(markdown),
    about,
    markdown,
  });
  const inGroup = (group: string) => chapters.filter((chapter) => chapter.group === group);
  return [
    ...inGroup('Guide'),
    ...['v3', 'v2', 'v1'].flatMap((generation) => [
      ...reference.operations
        .filter((operation) => operation.generation === generation)
        .map((operation) => ({
          ...generated(
            pathOf(operation),
            generation,
            `${operation.method} ${operation.path}`,
            operationPage(operation),
          ),
          operation,
        })),
      ...(reference.webhooks.some((event) => event.generation === generation)
        ? [
            generated(
              `${generation}/events`,
              generation,
              'what your server gets',
              eventsPage(generation, reference),
            ),
          ]
        : []),
    ]),
    generated('errors', 'Rules', 'each code, what it means and what to do', errorsPage(reference)),
    generated('reasons', 'Rules', 'what was found about a person', reasonsPage(reference)),
    ...inGroup('Rules'),
    ...inGroup('More'),
  ];
}

/** A page with links to the other chapters only, and without the marks of its tests and pictures. */
async function chapterOf(file: string): Promise<string> {
  const text = await readFile(path.join(ROOT, file), 'utf8');
  const served = new Map(CHAPTERS.map(([, chapter]) => [chapter, nameOf(chapter)]));
  // What the variables of the commands stand for.
  served.set('docs/README.md', HOME);
  const receivers = new Map<string, string>();
  for (const [language, name] of [
    ['js', 'mjs'],
    ['python', 'py'],
    ['php', 'php'],
    ['go', 'go'],
  ] as const) {
    const receiver = `docs/webhooks/receiver.${name}`;
    receivers.set(
      receiver,
      `\`\`\`${language}\n${(await readFile(path.join(ROOT, receiver), 'utf8')).trim()}\n\`\`\``,
    );
  }
  const linked: string[] = [];
  const chapter = text
    .replaceAll(/^!\[.*\]\(.*\)\n+/gm, '')
    .replaceAll(/^( *```\w+) .*$/gm, '$1')
    .replaceAll(
      /\[([^\]]+)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]+)?\)/g,
      (_, words: string, target: string, anchor = '') => {
        if (target === '') return `[${words}](${anchor})`;
        const place = path.posix.join(path.posix.dirname(file), target);
        if (receivers.has(place)) linked.push(place);
        const name = served.get(place);
        if (name === undefined) return words;
        return `[${words}](/docs/${name}${place === 'docs/README.md' ? '#1-get-test-keys' : anchor})`;
      },
    );
  if (linked.length === 0) return chapter;
  // Files that a paragraph links to follow it as code, because they are not served.
  const codes = linked.map((place) => receivers.get(place)).join('\n\n');
  const end = chapter.indexOf('\n\n', chapter.indexOf('Complete receivers'));
  return `${chapter.slice(0, end)}\n\n${codes}${chapter.slice(end)}`;
}

/** The Markdown of every page, the whole reference as one, and their list. */
export function markdownFiles(pages: readonly GuidePage[]): ReadonlyMap<string, string> {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const listed = groups.flatMap((group) => [
    `## ${group}\n`,
    ...pages
      .filter((page) => page.group === group)
      .map((page) => `- [${page.title}](/docs/${page.path}.md): ${page.about}`),
    '',
  ]);
  const index = [
    '# Gatehouse\n',
    '> Checks at a venue’s door that each guest is a live person who hasn’t been through before. Your server starts a check, sends the guest to a hosted page, and reads the result.\n',
    ...listed,
    '## For machines\n',
    '- [Reference](/docs/reference.md): every operation of v3, v2 and v1 on one page',
    '- [OpenAPI](/openapi.json): the same, also as [YAML](/openapi.yaml) and as a [Postman collection](/postman.json)',
    '- [Packages](/sdk/): for browsers and for Node.js servers',
    '',
  ];
  const operations = pages.flatMap(({ operation }) => (operation ? [operationPage(operation, ['sh'])] : []));
  const reference = `# Reference\n\n${operations.map((text) => text.replaceAll(/^#(?=#* )/gm, '##')).join('\n\n')}\n`;
  return new Map([
    ['llms.txt', index.join('\n')],
    ['reference.md', reference],
    ...pages.map(
      (page) =>
        [
          `${page.path}.md`,
          `${page.markdown.replaceAll(/\]\(\/docs\/([\w/-]+)(?=[#)])/g, '](/docs/$1.md').trim()}\n`,
        ] as const,
    ),
  ]);
}
