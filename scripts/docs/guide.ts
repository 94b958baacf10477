/**
 * The pages of `/docs` as Markdown, for tools and language models as they are, for people as HTML: chapters of the documentation, and the
 * reference made from the OpenAPI document.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import type { OpenApiDocument } from './reference/openapi.ts';
import { errorsPage, eventsPage, fence, operationPage, pathOf, reasonsPage } from './reference/pages.ts';
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

/** By group, in reading order, each with what it answers. The name of a file is its address: `/docs/limits`. */
const CHAPTERS = {
  Guide: [
    ['docs/tutorial/first-result.md', 'from nothing to a verified guest, with copy and paste'],
    ['docs/how-to/connect-ticketing.md', 'keys, sessions and results, packages, a server in the venue'],
    ['docs/how-to/embed.md', 'the browser SDK, its options, and who may embed'],
    ['docs/how-to/receive-webhooks.md', 'destinations, signatures, retries, receivers in four languages'],
    ['docs/how-to/test-an-integration.md', 'test faces, test tokens, what only test keys can do'],
    ['docs/how-to/go-live.md', 'what to do before real guests come'],
    ['docs/how-to/import-people.md', 'people, metadata and earlier verdicts of another service'],
    ['docs/how-to/move-from-another-service.md', 'what stays the same, what differs, what cannot be moved'],
    ['docs/reference/samples-of-the-original.md', 'published samples of the original, and what differs here'],
  ],
  Rules: [
    ['docs/reference/interface.md', 'what can change, every edge of requests, v1 and v2'],
    ['docs/reference/sessions.md', 'every edge of sessions, links, results and devices'],
    ['docs/reference/options.md', 'each option of a verification and of `config`'],
    ['docs/reference/events.md', 'webhook events, messages of an embedded check, results and reasons'],
    ['docs/reference/limits.md', 'rates, lengths, lifetimes'],
    ['docs/reference/browsers.md', 'browsers that the pages and the SDK support'],
  ],
  More: [
    ['docs/tutorial/first-guest.md', 'check a guest in at a kiosk'],
    ['docs/reference/settings.md', 'settings of the service'],
    ['CHANGELOG.md', 'what changed'],
  ],
} as const;
const FILES = Object.values(CHAPTERS).flatMap((chapters) => chapters.map(([file]) => file));

const nameOf = (file: string): string => path.posix.basename(file, '.md').toLowerCase();

function pageOf(page: Omit<GuidePage, 'title'>): GuidePage {
  return { ...page, title: /^# (.+)$/m.exec(page.markdown)?.[1] ?? '' };
}

export async function guidePages(): Promise<readonly GuidePage[]> {
  const reference = readReference((await publicDocument(BASE_URL)) as unknown as OpenApiDocument);
  const chaptersOf = (group: keyof typeof CHAPTERS) =>
    Promise.all(
      CHAPTERS[group].map(async ([file, about]) =>
        pageOf({ path: nameOf(file), group, about, markdown: await chapterOf(file) }),
      ),
    );
  const operationsOf = (group: string) =>
    reference.operations
      .filter(({ generation }) => generation === group)
      .map((operation) => {
        const about = `${operation.method} ${operation.path}`;
        return pageOf({
          path: pathOf(operation),
          group,
          about,
          markdown: operationPage(operation),
          operation,
        });
      });
  const eventsOf = (group: string) => {
    const path = `${group}/events`;
    return pageOf({ path, group, about: 'what your server gets', markdown: eventsPage(group, reference) });
  };
  const rule = (name: string, about: string, markdown: string) =>
    pageOf({ path: name, group: 'Rules', about, markdown });
  return [
    ...(await chaptersOf('Guide')),
    ...['v3', 'v2', 'v1'].flatMap((group) => [
      ...operationsOf(group),
      ...(reference.webhooks.some(({ generation }) => generation === group) ? [eventsOf(group)] : []),
    ]),
    rule('errors', 'each code, what it means and what to do', errorsPage(reference)),
    rule('reasons', 'what was found about a person', reasonsPage(reference)),
    ...(await chaptersOf('Rules')),
    ...(await chaptersOf('More')),
  ];
}

const readText = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');
/** Languages of the receivers in `docs/webhooks`. */
const LANGUAGES: Readonly<Record<string, string>> = { mjs: 'js', py: 'python', php: 'php', go: 'go' };
const receiverOf = (file: string) => LANGUAGES[/^docs\/webhooks\/receiver\.(\w+)$/.exec(file)?.[1] ?? ''];

/** A page with links to the other chapters only, and without the marks of its tests and pictures. */
async function chapterOf(file: string): Promise<string> {
  const served = new Map<string, string>(FILES.map((chapter) => [chapter, nameOf(chapter)]));
  // What the variables of the commands stand for.
  served.set('docs/README.md', HOME);
  const linked: Promise<string>[] = [];
  const chapter = (await readText(file))
    .replaceAll(/^!\[.*\]\(.*\)\n+/gm, '')
    .replaceAll(/^( *```\w+) .*$/gm, '$1')
    .replaceAll(
      /\[([^\]]+)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]+)?\)/g,
      (_, words: string, target: string, anchor = '') => {
        if (target === '') return `[${words}](${anchor})`;
        const place = path.posix.join(path.posix.dirname(file), target);
        const language = receiverOf(place);
        if (language !== undefined) linked.push(readText(place).then((code) => fence(language, code.trim())));
        const name = served.get(place);
        if (name === undefined) return words;
        return `[${words}](/docs/${name}${place === 'docs/README.md' ? '#1-get-test-keys' : anchor})`;
      },
    );
  if (linked.length === 0) return chapter;
  // Files that a paragraph links to follow it as code, because they are not served.
  const end = chapter.indexOf('\n\n', chapter.indexOf('Complete receivers'));
  return `${chapter.slice(0, end)}\n\n${(await Promise.all(linked)).join('\n\n')}${chapter.slice(end)}`;
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
  const linked = (text: string) => text.replaceAll(/\]\(\/docs\/([\w/-]+)(?=[#)])/g, '](/docs/$1.md');
  const operations = pages.flatMap(({ operation }) => (operation ? [operationPage(operation, ['sh'])] : []));
  const reference = `# Reference\n\n${operations.map((text) => text.replaceAll(/^#(?=#* )/gm, '##')).join('\n\n')}\n`;
  return new Map([
    ['llms.txt', index.join('\n')],
    ['reference.md', reference],
    ...pages.map(({ path: name, markdown }) => [`${name}.md`, `${linked(markdown).trim()}\n`] as const),
  ]);
}
