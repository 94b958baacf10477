import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serverConfig } from '../../config.ts';
import { securityTxtRoute } from './security-txt.ts';

const NOW = Date.parse('2026-11-26T10:00:00Z');

async function served(contact: string) {
  const { securityContact } = serverConfig({}, { HOME: '/home/ana', GATEHOUSE_SECURITY_CONTACT: contact });
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(securityTxtRoute, { securityContact, deps: { clock: { now: () => NOW } } });
  return app.inject({ url: '/.well-known/security.txt' });
}

test('security.txt names the contact and an end within a year', async () => {
  const { statusCode, headers, body } = await served('security@venue.example');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toBe(
    'Contact: mailto:security@venue.example\nExpires: 2026-12-26T10:00:00.000Z\nPreferred-Languages: en, de, es, fr\n',
  );
});

test('without a contact there is no security.txt', async () => {
  expect((await served('')).statusCode).toBe(404);
});

test.each([
  'our office',
  'http://venue.example/security',
  'security@venue.example\nContact: x',
  'javascript:1',
])('a contact such as %j is refused at the start', (contact) => {
  const env = { HOME: '/home/ana', GATEHOUSE_SECURITY_CONTACT: contact };
  expect(() => serverConfig({}, env)).toThrow(/GATEHOUSE_SECURITY_CONTACT/);
});
