/** The whole console in a document without a browser. The test says what the server replies; no call leaves the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { cleanup, configure, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { onTestFinished, vi } from 'vitest';
import type { Me } from '../../../server/contract/console/access.ts';
import { CONSOLE_API, type Role, TIME_HEADER } from '../../../server/contract/console/common.ts';
import type { ConsoleErrorCode } from '../../../server/contract/console/errors.ts';
import { companies, session, setup } from '../../../server/contract/routes/console/access.ts';
import type { BodyOf, ReplyOf, Route } from '../../../server/contract/routes/route.ts';
import { createConsoleRouter } from './app/router.tsx';
import { createConsoleClient } from './shared/client/query-client.ts';
import { LanguageProvider, loadMessagesAhead } from './shared/words.tsx';
import { theme } from './theme/theme.ts';

/** A page's code is transformed when a test opens the first one of its kind, which takes long beside other tests. */
configure({ asyncUtilTimeout: 30_000 });

export class Refused extends Error {
  readonly status: number;
  readonly reply: object;

  constructor(error: ConsoleErrorCode, status: number, facts: object = {}) {
    super(error);
    this.status = status;
    this.reply = { error, message: '', ...facts };
  }
}

type Handler = { route: Route; path: RegExp; answer: (body: never) => unknown };

/** The reply to an operation; its handler may throw `Refused`. */
export const on = <const R extends Route>(route: R, answer: (body: BodyOf<R>) => ReplyOf<R>): Handler => ({
  route,
  path: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
  answer,
});

export const me = (role: Role): Me => ({
  operator: { operator_id: 'op_ada', name: 'Ada', role },
  csrf_token: 'csrf',
  has_pin: false,
  is_limited: false,
  second_factor: { is_on: false, is_required: false },
  session_id: 'os_1',
  idle_timeout_s: 900,
  idle_at: '2030-05-15T20:00:00Z',
  ends_at: '2030-05-16T06:00:00Z',
});

export const VENUE: ReplyOf<typeof companies.list> = {
  items: [
    {
      company_id: 'co_venue',
      name: 'Venue',
      daily_limit: 1_000,
      created_at: '2030-01-01T00:00:00Z',
      zone: 'Europe/Berlin',
      privacy_contact: null,
      zone_version: '1',
      details_version: '1',
      is_sample: false,
    },
  ],
};

/** The stream of changes, on which nothing happens. */
class SilentStream extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  close(): void {}
}

/** @param serverMs the service's time in epoch milliseconds, on each reply */
export async function openConsole(
  address: string,
  handlers: readonly Handler[],
  { role = 'admin', serverMs = Date.now() }: { role?: Role; serverMs?: number } = {},
) {
  const calls: { name: string; body: unknown }[] = [];
  const known = [
    ...handlers,
    on(setup.read, () => ({
      needed: false,
      code_required: false,
      company_name: null,
      recovery: false,
      single_sign_on: null,
      passkeys: false,
    })),
    on(session.me, () => me(role)),
    on(companies.list, () => VENUE),
  ];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const url = new URL(input, window.location.href);
    const path = url.pathname.replace(CONSOLE_API, '');
    const method = init.method ?? 'GET';
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ name: `${method} ${path}`, body });
    // As over a network, a reply never comes within the same turn.
    await sleep(1);
    const handler = known.find(({ route, path: own }) => route.method === method && own.test(path));
    const reply = (status: number, content: object) =>
      new Response(JSON.stringify(content), {
        status,
        headers: { 'content-type': 'application/json', [TIME_HEADER]: String(serverMs) },
      });
    if (handler === undefined) return reply(404, { error: 'not_found', message: '' });
    try {
      return reply(200, handler.answer(body as never) as object);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return reply(error.status, error.reply);
    }
  });
  vi.stubGlobal('EventSource', SilentStream);
  window.history.replaceState(null, '', address);
  loadMessagesAhead();
  const client = createConsoleClient();
  const router = createConsoleRouter(client);
  onTestFinished(() => {
    cleanup();
    client.clear();
    localStorage.clear();
    sessionStorage.clear();
  });
  render(
    <MantineProvider theme={theme} env="test">
      <DirectionProvider>
        <LanguageProvider>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LanguageProvider>
      </DirectionProvider>
    </MantineProvider>,
  );
  await screen.findByRole('heading', { level: 1 });
  return { user: userEvent.setup({ delay: null }), calls };
}
