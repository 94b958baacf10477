import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { builtFiles, withLanguages } from './surface.ts';

const POLICY = "default-src 'none'";

/** Two folders of one application: the kiosk has its own files and the landmarker's. */
async function served() {
  const dir = tempDir();
  const write = (name: string, text: string) => {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    writeFileSync(`${file}.gz`, gzipSync(text));
  };
  write('page/index-AbC_12-3.js', 'script');
  write('shared/vision.js', 'vision');
  const app = fastify();
  onTestFinished(() => app.close());
  await builtFiles(app, { root: path.join(dir, 'page'), prefix: '/assets/page/', policy: POLICY });
  await builtFiles(app, { root: path.join(dir, 'shared'), prefix: '/assets/page/vision/', policy: POLICY });
  return (url: string) => app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
}

test('a bundle, whose name changes with it, is cached for a year; everything else is revalidated', async () => {
  const get = await served();
  const [bundle, other] = [
    await get('/assets/page/index-AbC_12-3.js'),
    await get('/assets/page/vision/vision.js'),
  ];
  expect(bundle.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(other.headers['cache-control']).toBe('no-cache');
  for (const { headers } of [bundle, other]) expect(headers['content-security-policy']).toBe(POLICY);
});

test('a folder below another’s path has its own files, compressed as the build wrote them', async () => {
  const get = await served();
  const { headers, rawPayload } = await get('/assets/page/vision/vision.js');
  expect(headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(rawPayload).toString()).toBe('vision');
  expect((await get('/assets/page/vision/index-AbC_12-3.js')).statusCode).toBe(404);
});

test('a page gets the offered languages in its document, before its scripts', () => {
  const document = '<!doctype html><html lang="en"><head><script src="a.js"></script></head></html>';
  const page = withLanguages(document, { offered: ['fr', 'de'], default_language: 'de' });
  expect(page).toContain('<meta name="gatehouse:languages" content="fr de" />');
  expect(page.indexOf('content="de"')).toBeLessThan(page.indexOf('<script'));
});

test('of the links to catalogues, only those of the page’s first language stay', () => {
  const link = (language: string) =>
    `<link rel="modulepreload" data-catalogue="${language}" href="${language}.js">`;
  const document = `<head>${link('en')}${link('fr')}${link('de')}</head>`;
  const offer = { offered: ['fr' as const, 'de' as const], default_language: 'fr' as const };
  const asked = withLanguages(document, offer, 'en-GB,de;q=0.8');
  expect([...asked.matchAll(/href="(\w+)/g)].map(([, file]) => file)).toEqual(['de']);
  expect(withLanguages(document, offer)).toContain('fr.js');
});
