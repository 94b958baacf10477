/**
 * The whole console in a document without a browser. No call leaves the process: the test says what the server replies, or the
 * real one does (`at-service.fixture.ts`).
 */
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
/** Fields that grow with their text follow the loading of fonts, of which happy-dom has none. */
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

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

/** A reply, its body as JSON. */
type Reply = { status: number; body: unknown; headers?: Record<string, string> };
export type Backend = {
  /** @param path with its query, below the console's API */
  reply: (method: string, path: string, init: RequestInit) => Promise<Reply>;
  /** The stream of changes of the page with this query; returns a function that ends it. */
  follow: (query: URLSearchParams, tell: (event: string) => void) => () => void;
};

/** A server that says what the test says; on its stream of changes nothing happens. */
function scripted(handlers: readonly Handler[], role: Role, serverMs: number): Backend {
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
  const headers = { [TIME_HEADER]: String(serverMs) };
  return {
    async reply(method, path, init) {
      const [place = ''] = path.split('?');
      const handler = known.find(({ route, path: own }) => route.method === method && own.test(place));
      if (handler === undefined) return { status: 404, body: { error: 'not_found', message: '' }, headers };
      try {
        return { status: 200, body: handler.answer(bodyOf(init) as never), headers };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { status: error.status, body: error.reply, headers };
      }
    },
    follow: () => () => undefined,
  };
}

const bodyOf = ({ body }: RequestInit): unknown => (typeof body === 'string' ? JSON.parse(body) : undefined);

/** @param serverMs the service's time in epoch milliseconds, on each reply of a test */
export async function openConsole(
  address: string,
  answers: readonly Handler[] | Backend,
  { role = 'admin', serverMs = Date.now() }: { role?: Role; serverMs?: number } = {},
) {
  const calls: { name: string; body: unknown }[] = [];
  const backend = 'reply' in answers ? answers : scripted(answers, role, serverMs);
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const { pathname, search } = new URL(input, window.location.href);
    const path = pathname.replace(CONSOLE_API, '');
    const method = init.method ?? 'GET';
    calls.push({ name: `${method} ${path}`, body: bodyOf(init) });
    // As over a network, a reply never comes within the same turn.
    await sleep(1);
    // A page that waits for long asks whether the server is there.
    if (pathname === '/healthz') return new Response();
    const { status, body, headers } = await backend.reply(method, path + search, init);
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...headers, 'content-type': 'application/json' },
    });
  });
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      readonly readyState = 1;
      readonly close: () => void;
      constructor(place: string) {
        super();
        const query = new URL(place, window.location.href).searchParams;
        this.close = backend.follow(query, (event) => this.dispatchEvent(new Event(event)));
      }
    },
  );
  // As in one tab: the page that was open before leaves.
  cleanup();
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
