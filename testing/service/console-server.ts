/** The console's API on a real database, called without a network. */
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { CONSOLE_API, CSRF_HEADER, type Role } from '../../server/contract/console/common.ts';
import { consoleApi } from '../../server/routes/console/index.ts';
import type { Access } from '../../server/routes/console/guard.ts';
import type { ConsoleDeps, Installation } from '../../server/routes/deps.ts';
import { createStreamPlaces } from '../../server/routes/event-streams.ts';
import { createOperator } from '../../server/services/operators/operators.ts';
import { openSession, resumeSession } from '../../server/services/operators/operator-session.ts';
import { testInstallation } from './installation.ts';
import { openTestService, type TestService } from './temp-service.ts';

const ORIGIN = { address: '192.0.2.10', device: 'test' };

/** Path with each parameter as `x`, below the API. */
type ConsoleOperation = { method: string; url: string; access: Access | 'public' | undefined };

type Answer = {
  status: number;
  error: string | undefined;
  body: unknown;
  headers: Record<string, string>;
};

type ConsoleCaller = {
  call: (method: string, url: string, options?: InjectOptions) => Promise<Answer>;
};

export type SignedInCaller = ConsoleCaller & {
  name: string;
  passphrase: string;
  /** The same operator on another device. */
  signInElsewhere: () => Promise<unknown>;
};

export async function consoleDeps({ deps, clock }: TestService): Promise<ConsoleDeps> {
  return { ...deps, ...testInstallation(deps.db, clock) };
}

/** @param own what differs from an installation that only this machine reaches */
export async function openConsoleServer(own: Partial<Installation> = {}): Promise<{
  service: TestService;
  operations: readonly ConsoleOperation[];
  anyone: ConsoleCaller;
  /** Creates an operator who is signed in, of all companies or only of some. */
  as: (role: Role, companyIds?: readonly string[]) => Promise<SignedInCaller>;
}> {
  const service = await openTestService();
  const app = Fastify();
  onTestFinished(() => app.close());
  app.decorate('streamPlaces', createStreamPlaces());
  const operations: ConsoleOperation[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const verb of [method].flat()) {
      if (verb === 'HEAD') continue;
      const path = url.replace(CONSOLE_API, '').replaceAll(/:\w+/g, 'x');
      operations.push({ method: verb, url: path, access: config?.access });
    }
  });
  await app.register(consoleApi, { deps: { ...(await consoleDeps(service)), ...own } });
  await app.ready();
  let made = 0;
  return {
    service,
    operations,
    anyone: callerOn(app, {}),
    as: async (role, companyIds) => {
      const { db, clock } = service.deps;
      made += 1;
      const { operator, passphrase } = await createOperator(service.deps, {
        ...{ name: `Operator ${made}`, role, origin: 'cli', actor: 'cli' },
        ...(companyIds && { companyIds }),
      });
      const signIn = () => db.tx((tx) => openSession(tx, operator.operator_id, ORIGIN, clock.now()));
      const token = await signIn();
      const session = await resumeSession(service.deps, token, { isActivity: false });
      const caller = callerOn(app, {
        cookie: `gatehouse_console=${token}`,
        [CSRF_HEADER]: session.csrfToken,
      });
      return { ...caller, name: operator.name, passphrase: passphrase ?? '', signInElsewhere: signIn };
    },
  };
}

const callerOn = (app: FastifyInstance, own: Record<string, string>): ConsoleCaller => ({
  async call(method, url, { headers, ...options } = {}) {
    const reply = await app.inject({
      ...options,
      method: method as 'GET',
      url: `${CONSOLE_API}${url}`,
      headers: { ...own, ...headers },
    });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    const body: unknown = isJson ? reply.json() : reply.body;
    const error = isJson ? (body as { error?: string }).error : undefined;
    return { status: reply.statusCode, error, body, headers: reply.headers as Record<string, string> };
  },
});
