import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { startPageRoute } from './start.ts';

async function served() {
  const { deps } = await openTestService();
  const app = fastify();
  onTestFinished(async () => {
    await app.close();
    await deps.faceIndex.close();
  });
  await app.register(startPageRoute, { deps });
  return (language: string) => app.inject({ url: '/', headers: { 'accept-language': language } });
}

test('the first address that is printed is a page that leads on', async () => {
  const get = await served();
  const { statusCode, headers, body } = await get('en');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const address of ['/my', '/kiosk', '/docs', '/sdk/']) expect(body).toContain(`href="${address}"`);
  expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-");
  expect(body).not.toContain('<script');
});

test('the page speaks the browser’s language', async () => {
  const get = await served();
  const { body } = await get('de-CH,en;q=0.5');
  expect(body).toContain('<html lang="de">');
  expect(body).toContain('Eigene Daten ansehen oder löschen');
});
