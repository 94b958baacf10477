import { expect, it } from 'vitest';
import { RETRY_URL } from './addresses.ts';
import { shellLanguage } from './messages.ts';
import { statusPage } from './status-page.ts';

const html = (page: string) => decodeURIComponent(page.slice(page.indexOf(',') + 1));

it('says why the server could not start, and offers to try again', () => {
  const page = html(statusPage({ kind: 'failed', reason: 'Port 4180 is in use.' }, 'en'));
  expect(page).toContain('Port 4180 is in use.');
  expect(page).toContain(`href="${RETRY_URL}"`);
});

it('shows what the server said as text, never as markup', () => {
  const page = html(statusPage({ kind: 'failed', reason: '<img src=x onerror="alert(1)"> & more' }, 'en'));
  expect(page).not.toContain('<img');
  expect(page).toContain('&#60;img');
});

it('has a message if the server gave none', () => {
  expect(html(statusPage({ kind: 'failed', reason: null }, 'en'))).toContain('without giving a reason');
});

it('shows no button while it restarts automatically', () => {
  expect(html(statusPage({ kind: 'restarting', reason: null, retryInMs: 1 }, 'en'))).not.toContain('href');
});

it('loads and runs nothing', () => {
  expect(html(statusPage({ kind: 'starting' }, 'en'))).toContain("default-src 'none'");
});

it('shows the progress of a start, and that it takes time', () => {
  const texts = ([undefined, 'loaded', 'opened'] as const).map((stage) =>
    html(statusPage({ kind: 'starting', ...(stage && { stage }) }, 'en')),
  );
  for (const [n, text] of texts.entries()) expect(text).toContain(`Step ${n + 1} of 3`);
  expect(texts[0]).toContain('You can close the app');
});

it('shows the logo at once, and that it takes time only to those who still wait after 5 s', () => {
  const page = html(statusPage({ kind: 'starting' }, 'en'));
  expect(page).toContain('<svg');
  expect(page).toMatch(/<p class="later">This can take a few minutes/);
  expect(page).toMatch(/\.later \{ visibility: hidden; animation: show 0s 5s forwards; \}/);
  expect(html(statusPage({ kind: 'restarting', reason: null, retryInMs: 1 }, 'en'))).not.toContain(
    'class="later"',
  );
});

it('is in the system’s language if it is available, else in English', () => {
  expect(shellLanguage(['fr-CA', 'en-US'])).toBe('fr');
  expect(shellLanguage(['nl-BE', 'de-DE'])).toBe('de');
  expect(shellLanguage(['constructor', 'nl'])).toBe('en');
  expect(shellLanguage([])).toBe('en');
  const page = html(statusPage({ kind: 'failed', reason: 'Port 4180 is in use.' }, 'de'));
  expect(page).toContain('<html lang="de">');
  expect(page).toContain('Erneut versuchen');
  expect(page).toContain('Port 4180 is in use.');
});
