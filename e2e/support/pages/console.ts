/**
 * The console as its operators use it: accounts created by the command line, calls with cookie and CSRF token, its
 * pages.
 */
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { Me, RecoveryCodes, SecondFactorEnrolment } from '../../../server/contract/console/access.ts';
import { CSRF_HEADER, type Role } from '../../../server/contract/console/common.ts';
import type { OperatorRecord } from '../../../server/contract/console/operators.ts';
import { type Call, type Reply, send } from '../http.ts';
import type { Gatehouse } from '../service/server.ts';
import { test as shared } from '../service/shared-server.ts';
import type { ConsoleErrorBody } from '../../../server/contract/console/errors.ts';

/** In every test the page loads nothing that its content security policy refuses. */
export const test = shared.extend<{ policy: undefined }>({
  policy: [
    async ({ page }, use) => {
      const refused: string[] = [];
      page.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
      });
      await use(undefined);
      expect(refused).toEqual([]);
    },
    { auto: true },
  ],
});

export type Credentials = { operatorId: string; name: string; passphrase: string };

export type Operator = Credentials & {
  readonly role: Role;
  readonly cookie: string;
  readonly csrfToken: string;
  /** A call of the console's API, `path` below `/console/api`; without a body it is a GET. */
  api<T = unknown>(path: string, call?: Call): Promise<Reply<T>>;
  /**
   * Like `api`.
   * @returns the body
   * @throws if the status is not 200
   */
  ok<T = unknown>(path: string, call?: Call): Promise<T>;
};

export const apiOf = ({ consoleUrl }: Pick<Gatehouse, 'consoleUrl'>, path: string): string =>
  `${consoleUrl}/console/api${path}`;

type OperatorOptions = {
  name?: string;
  /** The only company that they see, which on a shared server is the test's own. Defaults to all. */
  companyId?: string;
};

/** An operator with a passphrase that the command line generated. */
export async function newOperator(
  gatehouse: Pick<Gatehouse, 'cli'>,
  role: Role,
  { name = `${role} ${randomUUID().slice(0, 8)}`, companyId = 'all' }: OperatorOptions = {},
): Promise<Credentials> {
  const made = await gatehouse.cli<OperatorRecord & { passphrase: string }>([
    ...['operator', 'create', '--name', name, '--role', role, '--companies', companyId],
  ]);
  return { operatorId: made.operator_id, name, passphrase: made.passphrase };
}

/** The session's cookie as a browser sends it back; empty if the reply set none. */
const cookieOf = ({ headers }: Pick<Reply, 'headers'>): string =>
  headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** Signs in over HTTP with an operator’s name and passphrase. */
export async function signInAs(gatehouse: Gatehouse, credentials: Credentials): Promise<Operator> {
  const { name, passphrase } = credentials;
  const reply = await send<Me>(apiOf(gatehouse, '/sign-in'), { body: { name, passphrase } });
  if (reply.status !== 200)
    throw new Error(`Sign-in answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  const cookie = cookieOf(reply);
  const { csrf_token: csrfToken, operator } = reply.body;
  const api = <T = unknown>(path: string, { headers, ...call }: Call = {}) =>
    send<T>(apiOf(gatehouse, path), {
      ...call,
      headers: { cookie, [CSRF_HEADER]: csrfToken, ...headers },
    });
  return {
    ...credentials,
    role: operator.role,
    cookie,
    csrfToken,
    api,
    async ok<T = unknown>(path: string, call: Call = {}) {
      const { status, body } = await api<T>(path, call);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** A new operator of that role, signed in over HTTP. */
export async function signIn(
  gatehouse: Gatehouse,
  role: Role,
  options: OperatorOptions = {},
): Promise<Operator> {
  return signInAs(gatehouse, await newOperator(gatehouse, role, options));
}

/**
 * A new operator of that role, signed in within the page's browser; then shows `path` of the console. The page itself
 * makes the call, so that the browser keeps the cookie as it would after the form.
 */
export async function signInPage(
  page: Page,
  gatehouse: Pick<Gatehouse, 'cli' | 'consoleUrl'>,
  role: Role,
  path = '/',
  options: OperatorOptions = {},
): Promise<Credentials> {
  const credentials = await newOperator(gatehouse, role, options);
  const { name, passphrase } = credentials;
  const reply = await page
    .context()
    .request.post(apiOf(gatehouse, '/sign-in'), { data: { name, passphrase } });
  if (!reply.ok()) throw new Error(`Sign-in answered ${reply.status()}: ${await reply.text()}`);
  await page.goto(`${gatehouse.consoleUrl}${path}`);
  return credentials;
}

/** An operator's authenticator app. */
type Authenticator = {
  /** The code of the current time step, or of a later one. */
  code(stepsAhead?: number): string;
  recoveryCodes: readonly string[];
};

const STEP_MS = 30_000;

/** @param secret base32, with or without spaces */
export function codeOf(secret: string, stepsAhead = 0, nowMs = Date.now()): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')) });
  return totp.generate({ timestamp: nowMs + stepsAhead * STEP_MS });
}

/**
 * Sets up a second factor for a signed-in operator.
 * @param now of the server's clock
 */
export async function enrol(operator: Operator, now: () => number = Date.now): Promise<Authenticator> {
  const { secret } = await operator.ok<SecondFactorEnrolment>('/me/second-factor', {
    body: { passphrase: operator.passphrase },
  });
  const code = (stepsAhead = 0) => codeOf(secret, stepsAhead, now());
  const { codes } = await operator.ok<RecoveryCodes>('/me/second-factor/confirm', { body: { code: code() } });
  return { code, recoveryCodes: codes };
}

/** Status and code of an answer that refuses a call of the console. */
export async function refusalOf(work: Promise<Reply>): Promise<[number, string]> {
  const { status, body } = await work;
  return [status, (body as ConsoleErrorBody).error];
}
