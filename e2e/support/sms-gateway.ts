/** An SMS gateway on loopback that stores every message, and can keep a sender waiting. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Text = { to: string; text: string };

export type SmsGateway = AsyncDisposable & {
  /** Settings for `startGatehouse`. */
  readonly env: Record<string, string>;
  /** Every request that has arrived, answered or not. */
  readonly texts: Text[];
  /** Requests for numbers for which `isHeld` returns true are not answered until `release`. */
  hold(isHeld: (to: string) => boolean): void;
  release(): void;
  close(): Promise<void>;
};

export async function startSmsGateway(): Promise<SmsGateway> {
  const texts: Text[] = [];
  const held = new Set<ServerResponse>();
  let isHeld: (to: string) => boolean = () => false;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://gateway');
    const to = searchParams.get('to') ?? '';
    texts.push({ to, text: searchParams.get('text') ?? '' });
    if (isHeld(to)) held.add(response);
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const release = () => {
    isHeld = () => false;
    for (const response of held) response.end();
    held.clear();
  };
  const close = () =>
    new Promise<void>((resolve) => {
      release();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    env: {
      GATEHOUSE_SMS_SENDER: 'http',
      GATEHOUSE_SMS_URL: `http://127.0.0.1:${port}/send?to={to}&text={text}`,
    },
    texts,
    hold(next) {
      isHeld = next;
    },
    release,
    close,
    [Symbol.asyncDispose]: close,
  };
}
