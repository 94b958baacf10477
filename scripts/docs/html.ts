/** Markdown to the HTML of `/docs`: headings with addresses, code to copy in one or several languages, tables that fit a phone. */
import { Marked, type Token, type Tokens } from 'marked';
import { LANGUAGES } from './reference/samples.ts';

export const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
};
export const escaped = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => ESCAPES[character] ?? '');

const NAMES: Readonly<Record<string, string>> = {
  ...{ sh: 'curl', js: 'Node', python: 'Python', php: 'PHP', go: 'Go' },
  ...{ json: 'JSON', html: 'HTML', ini: 'Unit' },
};

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export type Rendered = {
  html: string;
  headings: readonly { level: number; id: string; title: string }[];
};

/** @param linkOf the address to link code to, such as `POST /v3/initialize`; undefined for other code */
export function render(markdown: string, linkOf: (code: string) => string | undefined): Rendered {
  const headings: { level: number; id: string; title: string }[] = [];
  let groups = 0;
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens, text }) {
        const id = anchorOf(text);
        headings.push({ level: depth, id, title: text.replaceAll(/[`*]/g, '') });
        const words = this.parser.parseInline(tokens);
        return depth === 1 ? `<h1>${words}</h1>` : `<h${depth} id="${id}">${words}</h${depth}>`;
      },
      code: ({ text, lang = '' }) =>
        `<div class="sample"><span class="sample__name">${sampleName(lang, text)}</span>${COPY}${pre(text, lang)}</div>`,
      codespan({ text }) {
        const address = linkOf(text);
        const code = `<code>${breakable(escaped(text))}</code>`;
        return address === undefined ? code : `<a href="${address}">${code}</a>`;
      },
      // Roles are explicit, because a phone lays the rows out as blocks.
      table({ header, rows }) {
        const head = header.map(
          (cell) => `<th role="columnheader" scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
        );
        const body = rows.map((cells) => {
          const row = cells.map((cell, at) => {
            const words = this.parser.parseInline(cell.tokens);
            if (at === 0) return `<th role="rowheader" scope="row">${words}</th>`;
            return `<td role="cell" data-label="${escaped(header[at]?.text.replaceAll('`', '') ?? '')}">${words}</td>`;
          });
          return `<tr role="row">${row.join('')}</tr>`;
        });
        return `<table role="table"><thead role="rowgroup"><tr role="row">${head.join('')}</tr></thead><tbody role="rowgroup">${body.join('')}</tbody></table>`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(href.replace(/^(\/docs\/[\w/-]+)\.md/, '$1'))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const html = grouped(marked.lexer(markdown))
    .map((part) => (part.length === 1 ? marked.parser(part) : codeGroup(part as Tokens.Code[], ++groups)))
    .join('');
  return { html, headings };
}

/** Long names may be wrapped between their words, so that a column can be narrow. */
const breakable = (code: string): string =>
  code.length < LONG_NAME_CHARS || code.includes(' ') ? code : code.replaceAll(/[._](?=\w)/g, '$&<wbr />');
const LONG_NAME_CHARS = 16;

const COPY = '<button type="button" class="small-button" data-copy>Copy</button>';
/** Commands of the guides and calls of the reference are both shell. */
const sampleName = (language: string, text: string): string =>
  language === 'sh' && !text.startsWith('curl') ? 'Shell' : (NAMES[language] ?? language);
const pre = (text: string, language: string): string =>
  `<pre tabindex="0" role="region" aria-label="${sampleName(language, text)}" data-language="${language}"><code>${escaped(text)}</code></pre>`;

/** Tokens one by one, except that blocks of code in several languages that follow each other belong together. */
function grouped(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    const isSample = (one: Token | undefined) =>
      one?.type === 'code' && (LANGUAGES as readonly string[]).includes((one as Tokens.Code).lang ?? '');
    if (token.type === 'space') continue;
    const follows =
      isSample(token) &&
      isSample(last?.[0]) &&
      !last?.some((one) => (one as Tokens.Code).lang === (token as Tokens.Code).lang);
    if (follows) last?.push(token);
    else parts.push([token]);
  }
  // A command and the code after it are two steps.
  return parts.flatMap((part) => (part.length < 3 ? part.map((token) => [token]) : [part]));
}

/** Languages are radio buttons, so that one can be chosen without a script. */
function codeGroup(codes: readonly Tokens.Code[], number: number): string {
  const choices = codes.map(({ lang = '', text }, at) => {
    const id = `code-${number}-${lang}`;
    const checked = at === 0 ? ' checked' : '';
    return `<input type="radio" name="code-${number}" id="${id}" value="${lang}"${checked} /><label for="${id}">${sampleName(lang, text)}</label>`;
  });
  const blocks = codes.map(({ lang = '', text }) => pre(text, lang));
  return `<div class="sample sample--group" role="group" aria-label="Code">${choices.join('')}${COPY}${blocks.join('')}</div>`;
}
