/** Writes `/docs`: each page of the guide as HTML in the shell that vite has built, its Markdown, and the texts for the search. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type GuidePage, guidePages, HOME, markdownFiles } from './guide.ts';
import { escaped, ESCAPES, render, type Rendered } from './html.ts';
import type { FieldRow, Operation } from './reference/reference.ts';
import { boundWords } from './reference/schema-words.ts';

/** A part of a page that the search finds. */
export type Section = { id: string; page: string; title: string; text: string };

export const addressOf = (page: Pick<GuidePage, 'path'>): string =>
  page.path === HOME ? '/docs' : `/docs/${page.path}`;

/** @param outDir the folder of the built pages of `/docs` */
export async function writeSite(outDir: string): Promise<void> {
  const shellFile = path.join(outDir, 'index.html');
  const shell = await readFile(shellFile, 'utf8');
  const pages = await guidePages();
  const { html, sections } = siteOf(pages, shell);
  const folder = path.join(outDir, 'guide');
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [name, text] of html)
    await write(name === HOME ? shellFile : path.join(folder, `${name}.html`), text);
  for (const [name, text] of markdownFiles(pages)) await write(path.join(folder, name), text);
  await write(path.join(outDir, 'sections.json'), JSON.stringify(sections));
}

export function siteOf(
  pages: readonly GuidePage[],
  shell: string,
): { html: ReadonlyMap<string, string>; sections: readonly Section[] } {
  const routes = new Map<string, string>(
    pages.flatMap((page) =>
      page.operation ? [[`${page.operation.method} ${page.operation.path}`, addressOf(page)] as const] : [],
    ),
  );
  const sections: Section[] = [];
  const html = pages.map((page) => {
    const rendered = render(page.markdown.replaceAll(`/docs/${HOME}`, '/docs'), (code) => {
      const address = routes.get(code);
      return address === addressOf(page) ? undefined : address;
    });
    sections.push(...sectionsOf(page, rendered.html));
    const text = fill(shell, {
      title: `${escaped(page.title)} · Gatehouse`,
      contents: contents(pages, page),
      page: page.operation ? operationArticle(rendered, page.operation) : chapterArticle(rendered),
      markdown: `/docs/${page.path}.md`,
    });
    return [page.path, text] as const;
  });
  return { html: new Map(html), sections };
}

/** @throws if the shell lacks a place */
function fill(shell: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    const place = new RegExp(`<!--${name}-->|\\{${name}\\}`);
    if (!place.test(text)) throw new Error(`The shell has no place for ${name}.`);
    return text.replace(place, () => value);
  }, shell);
}

const GENERATIONS: Readonly<Record<string, string>> = { v3: 'v3, for new work', v2: 'v2', v1: 'v1' };

function contents(pages: readonly GuidePage[], current: GuidePage): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return groups
    .map((group) => {
      const links = pages
        .filter((page) => page.group === group)
        .map((page) => {
          const method = page.operation?.method;
          return `<li><a href="${addressOf(page)}"${page === current ? ' aria-current="page"' : ''}${page.operation ? ` data-id="${page.operation.id}"` : ''}>${
            method === undefined ? '' : `<span class="method">${method}</span>`
          }<span>${escaped(page.title)}</span></a></li>`;
        })
        .join('');
      const generation = GENERATIONS[group];
      if (generation === undefined) return `<p class="side__title">${group}</p><ul>${links}</ul>`;
      const open = group === 'v3' || current.group === group ? ' open' : '';
      return `<details${open}><summary class="side__title">${generation}</summary><ul>${links}</ul></details>`;
    })
    .join('');
}

function chapterArticle({ html, headings }: Rendered): string {
  const listed = headings
    .filter(({ level }) => level === 2)
    .map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  const aside =
    listed.length < 2
      ? ''
      : `<nav class="aside" aria-label="On this page"><p class="side__title">On this page</p><ul>${listed.join('')}</ul></nav>`;
  return `<div class="article"><div class="prose">${html}</div></div>${aside}`;
}

/** The example stands beside the rest on a wide screen, with the form below what the operation does. */
function operationArticle({ html }: Rendered, operation: Operation): string {
  const [intro = '', example = '', ...rest] = html.split(/(?=<h2 )/);
  return `<div class="article article--operation" data-operation="${operation.id}"><div class="prose">${intro}${tryForm(operation)}</div><div class="prose example">${example}</div><div class="prose rest">${rest.join('')}</div></div>`;
}

function tryForm({ method, path: route, generation, parameters, request, summary }: Operation): string {
  const key = generation === 'v3' ? 'sk_test_…' : 'ak_test_…';
  const body = JSON.stringify(request?.example, null, 2);
  return `<details class="try"><summary>Try it<span class="visually-hidden">: ${escaped(summary)}</span></summary>
<form novalidate data-method="${method}" data-path="${route}">
${field('key', 'Test key', 'Kept in this tab only. Live keys are never sent.', input('key', key))}
${parameters.map((row) => field(row.path, row.path, hintOf(row, row.place), input(row.path, '', row.place))).join('')}
${request ? field('body', 'Body (JSON)', '', `<textarea id="body" name="body" rows="${body.split('\n').length + 3}" spellcheck="false" autocomplete="off">${escaped(body)}</textarea>`) : ''}
<button class="button button--main">Send ${method}</button>
<p class="result__status" role="status">The response appears here.</p>
<pre class="result__body" tabindex="0" role="region" aria-label="Response"><code></code></pre>
<p class="result__next"></p>
</form></details>`;
}

const field = (id: string, label: string, hint: string, control: string): string =>
  `<div class="field"><label for="${id}">${label}</label>${hint === '' ? '' : `<span class="hint" id="${id}-hint">${hint}</span>`}${control}<span class="problem" id="${id}-problem" role="alert"></span></div>`;
const input = (id: string, placeholder: string, place = ''): string =>
  `<input id="${id}" name="${id}" data-place="${place}" placeholder="${placeholder}" aria-describedby="${id}-hint ${id}-problem" type="text" spellcheck="false" autocapitalize="off" autocomplete="off" />`;
const hintOf = ({ schema }: FieldRow, place: string): string =>
  place === 'path'
    ? 'Part of the address.'
    : escaped(boundWords(schema).join('; ').replaceAll('`', '') || 'Optional.');

/** Code in several languages says nothing that its text does not. */
const NOT_SEARCHED = /<div class="sample[\s\S]*?<\/div>/g;

function sectionsOf(page: GuidePage, html: string): Section[] {
  return html.split(/(?=<h[23] )/).map((part) => {
    const [, id = '', heading = ''] = /^<h[23] id="([^"]*)">(.*?)<\/h/.exec(part) ?? [];
    return {
      id: addressOf(page) + (id === '' ? '' : `#${id}`),
      page: page.title,
      title: id === '' ? page.title : textOf(heading),
      text: textOf(part.replaceAll(NOT_SEARCHED, '').replace(/^<h(\d)[\s\S]*?<\/h\1>/, '')),
    };
  });
}

const MARKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ESCAPES).map(([character, mark]) => [mark, character])),
  '&#39;': "'",
};
const textOf = (html: string): string =>
  html
    .replaceAll('<wbr />', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:amp|quot|lt|gt|#39);/g, (mark) => MARKS[mark] ?? mark)
    .replaceAll(/\s+/g, ' ')
    .trim();
