/**
 * Makes messages longer, accented and bracketed in the browser, so that text outside the catalogues and truncated text
 * show.
 */
import { readFileSync } from 'node:fs';
import type { Page, Route } from '@playwright/test';
import { compileCatalogue } from '../../../locales/compile.ts';
import { bindMessages } from '../../../locales/format.ts';
import type { Catalogues } from '../../../locales/types/index.ts';

const OPEN = '⟦';
const CLOSE = '⟧';
/** Translations of English are up to this much longer. */
const LONGER = 0.4;
const ACCENTED: Readonly<Record<string, string>> = {
  ...{ a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ', y: 'ý' },
  ...{ A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú', C: 'Ç', N: 'Ñ', Y: 'Ý' },
};

/** An element of a message’s syntax tree; type 0 is text. */
type Part = { type: number; value: string; options?: Record<string, { value: Part[] }> };
type Messages = string | Part[] | { [key: string]: Messages };

/** A built catalogue: one constant, exported. Other chunks import or export something else. */
const CATALOGUE = /^(?:var|const) (\w+)=[{[][\s\S]*;export\{\1 as default\};?\s*$/;

const accented = (text: string): string => text.replaceAll(/[a-z]/gi, (letter) => ACCENTED[letter] ?? letter);

function pseudoText(text: string): string {
  const more = '~'.repeat(Math.ceil(text.length * LONGER));
  // A space lets long texts break, as words do.
  return `${OPEN}${accented(text)} ${more.replaceAll(/~{6}/g, '~~~~~ ')}${CLOSE}`;
}

function accentedElements(elements: readonly Part[]): Part[] {
  return elements.map((element): Part => {
    if (element.type === 0) return { ...element, value: accented(element.value) };
    if (element.options === undefined) return element;
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: accentedElements(option.value) },
    ]);
    return { ...element, options: Object.fromEntries(options) as Part['options'] };
  });
}

function pseudo(messages: Messages): Messages {
  if (typeof messages === 'string') return pseudoText(messages);
  if (Array.isArray(messages)) {
    const length = messages.reduce((sum, { type, value }) => sum + (type === 0 ? value.length : 0), 0);
    const end = ` ${'~'.repeat(Math.ceil(length * LONGER)).replaceAll(/~{6}/g, '~~~~~ ')}${CLOSE}`;
    return [{ type: 0, value: OPEN }, ...accentedElements(messages), { type: 0, value: end }];
  }
  return Object.fromEntries(Object.entries(messages).map(([key, below]) => [key, pseudo(below)]));
}

/** A catalogue as a pseudo-locale, for a page that the server renders. */
export function pseudoCatalogue<Name extends keyof Catalogues>(name: Name): Catalogues[Name] {
  const source = readFileSync(new URL(`../../../locales/en/${name}.json`, import.meta.url), 'utf8');
  return bindMessages(
    pseudo(compileCatalogue(source) as Messages) as Parameters<typeof bindMessages>[0],
    'en',
  );
}

/** From the next navigation on, every catalogue that the page loads is a pseudo-locale. */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route(/\/assets\/\w+\/[a-z-]+-[\w-]+\.js$/, async (route: Route) => {
    const response = await route.fetch();
    const source = await response.text();
    if (!CATALOGUE.test(source)) return route.fulfill({ response, body: source });
    const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
      default: Messages;
    };
    return route.fulfill({ response, body: `export default ${JSON.stringify(pseudo(module.default))}` });
  });
}

/**
 * Visible texts and accessible names that no catalogue contains: hard-coded, or parts of a sentence put together in
 * code.
 * @param data texts that are not messages: names, addresses, codes
 */
export async function unbracketed(page: Page, data: readonly RegExp[] = []): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const isRead = (element: Element | null) =>
      element !== null &&
      element.closest(
        'script, style, noscript, code, pre, option, [data-language], [lang]:not(html), time',
      ) === null &&
      element.checkVisibility({ visibilityProperty: true });
    // A message with an element inside is read as one text.
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (isRead(node.parentElement)) found.push(node.textContent ?? '');
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (!isRead(element)) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        found.push(element.getAttribute(name) ?? '');
    }
    return found;
  });
  const isMessage = (text: string) => text.includes(OPEN) || text.includes(CLOSE);
  return texts
    .map((text) => text.trim())
    .filter(
      (text) => /\p{L}{2}/u.test(text) && !isMessage(text) && !data.some((pattern) => pattern.test(text)),
    );
}
