import { expect, test } from 'vitest';
import { publicDocument } from '../../server/routes/docs/openapi.ts';
import { guidePages, HOME, markdownFiles } from './guide.ts';
import { addressOf, siteOf } from './site.ts';

const SHELL = '<title>{title}</title><!--contents--><!--page--><a href="{markdown}">';
const pages = await guidePages();
const files = markdownFiles(pages);
const { html, sections } = siteOf(pages, SHELL);
const all = (text: string | undefined, pattern: RegExp): (string | undefined)[] =>
  [...(text ?? '').matchAll(pattern)].map(([, found]) => found);

test('`llms.txt` lists every page, and each is there as Markdown and as HTML', () => {
  const listed = all(files.get('llms.txt'), /\]\(\/docs\/([^)]+)\)/g).toSorted();
  expect([...files.keys()].filter((name) => name !== 'llms.txt').toSorted()).toEqual(listed);
  expect([...html.keys(), 'reference'].map((name) => `${name}.md`).toSorted()).toEqual(listed);
});

test('every link of a page leads to a page and a heading of it, to the service, or away', () => {
  const anchors = new Map(pages.map((page) => [addressOf(page), all(html.get(page.path), / id="([^"]+)"/g)]));
  const broken = [...html].flatMap(([name, text]) =>
    [
      ...text.matchAll(
        /href="(?!https?:|mailto:|\/sdk\/|\/openapi|\/postman|[^"]*\.md")([^"#]*)(?:#([^"]*))?"/g,
      ),
    ]
      .filter(([, address = '', anchor]) => {
        const found = anchors.get(address === '' ? addressOf({ path: name }) : address);
        return found === undefined || (anchor !== undefined && !found.includes(anchor));
      })
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('pages have no marks of tests, no pictures, which are not served, and nothing inline, which the policy forbids', () => {
  for (const [name, text] of files) {
    expect(text, name).not.toMatch(/^ *```\w+ \S/m);
    expect(text, name).not.toMatch(/^!\[/m);
    expect(text, name).not.toContain('undefined');
  }
  for (const [name, text] of html) expect(text, name).not.toMatch(/<(style|script)|\s(style|on\w+)="/);
});

test('the reference has every operation with its codes and reasons, and a generation lists its own only', async () => {
  const reference = files.get('reference.md') ?? '';
  const { paths, ...document } = await publicDocument('https://verify.example.org');
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      expect(reference).toContain(`\`${method.toUpperCase()} ${path}\``);
      const { responses } = operation as { responses: Record<string, { 'x-codes'?: { code: string }[] }> };
      for (const { 'x-codes': codes = [] } of Object.values(responses))
        for (const { code } of codes) {
          expect(reference).toContain(`\`${code}\``);
          expect(files.get('errors.md')).toContain(`| \`${code}\` |`);
        }
    }
  for (const { code } of document['x-reasons'] as { code: string }[])
    expect(files.get('reasons.md')).toContain(`| \`${code}\` |`);
  for (const { group, operation } of pages) if (operation) expect(operation.path).toContain(`/${group}/`);
});

test('each operation has code in five languages, and receivers are there in four', () => {
  for (const { path, operation } of pages)
    if (operation) expect(html.get(path)?.match(/type="radio"/g), path).toHaveLength(5);
  expect(html.get('receive-webhooks')?.match(/type="radio"/g)).toHaveLength(4);
});

test('the search knows each heading by its own address, and no code', () => {
  expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length);
  expect(sections.find(({ id }) => id === '/docs')?.title).toBe(
    pages.find(({ path }) => path === HOME)?.title,
  );
  for (const { text } of sections) expect(text).not.toMatch(/<\/|&lt;|urllib/);
});
