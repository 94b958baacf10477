/** Decisions §6, "Senders", against a receiver on loopback. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpSender, twilioSender } from './senders.ts';

type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** Answers every request with `status` and records it. */
async function receiver(status: number, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      response.writeHead(status, headers).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const NUMBER = '+14155552671';
const TEXT = 'Your code is 123456 & good';

describe('the http sender', () => {
  it('puts number and text into the address, encoded', async () => {
    const { url, received } = await receiver(200);
    await httpSender(`${url}/send?to={to}&msg={text}`).send(NUMBER, TEXT);
    const asked = new URL(received[0]!.url, url);
    expect(received[0]!.method).toBe('GET');
    expect(asked.searchParams.get('to')).toBe(NUMBER);
    expect(asked.searchParams.get('msg')).toBe(TEXT);
  });

  it.each([400, 500])('reports an answer %i without the code', async (status) => {
    const { url } = await receiver(status);
    const failure: unknown = await httpSender(`${url}/?{to}{text}`)
      .send(NUMBER, TEXT)
      .catch((error: unknown) => error);
    expect(String(failure)).toContain(String(status));
    expect(String(failure)).not.toContain('123456');
  });

  it('follows no redirect with a code in its address', async () => {
    const elsewhere = await receiver(200);
    const { url } = await receiver(302, { location: elsewhere.url });
    await expect(httpSender(`${url}/?{to}{text}`).send(NUMBER, TEXT)).rejects.toThrow();
    expect(elsewhere.received).toEqual([]);
  });
});

describe('the Twilio sender', () => {
  it('posts a message in the account’s name', async () => {
    const { url, received } = await receiver(201);
    const account = { accountSid: 'AC1', authToken: 'secret', from: '+15005550006', apiUrl: url };
    await twilioSender(account).send(NUMBER, TEXT);
    const [request] = received;
    expect(request).toMatchObject({ method: 'POST', url: '/2010-04-01/Accounts/AC1/Messages.json' });
    expect(request!.headers.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
      To: NUMBER,
      From: '+15005550006',
      Body: TEXT,
    });
  });
});
