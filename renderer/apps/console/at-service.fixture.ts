/** The console's real API and database in this process, for a page of `console.fixture.tsx`. */
import { openConsoleServer } from '../../../testing/service/console-server.ts';
import type { Role } from '../../../server/contract/console/common.ts';
import type { Installation } from '../../../server/routes/deps.ts';
import { followChanges } from '../../../server/services/changes/changes.ts';
import type { Backend } from './console.fixture.tsx';

/** @param own what differs from an installation that has an admin and that only this machine reaches */
export async function openService({
  isNew = false,
  ...own
}: Partial<Installation> & { isNew?: boolean } = {}) {
  const { service, anyone, as } = await openConsoleServer(own);
  // Without one the console's first page is the wizard.
  if (!isNew) await as('admin');
  const follow: Backend['follow'] = (query, tell) =>
    followChanges(
      service.deps,
      { companyId: query.get('company_id') ?? '', page: query.get('page') ?? undefined },
      tell,
    );
  return {
    ...service,
    /** A browser that nobody has signed in on yet; it keeps its cookie. */
    browser({ address = '127.0.0.1' } = {}): Backend {
      let cookie = '';
      return {
        follow,
        async reply(method, path, { headers, body }) {
          const reply = await anyone.call(method, path, {
            remoteAddress: address,
            headers: { ...Object.fromEntries(new Headers(headers)), cookie },
            ...(typeof body === 'string' && { payload: body }),
          });
          const given = reply.headers['set-cookie'];
          if (given !== undefined) [cookie = ''] = given.split(';');
          return reply;
        },
      };
    },
    /** An operator, signed in on a browser of their own. */
    async as(role: Role) {
      const operator = await as(role);
      /** The reply of a call that must not fail; `path` has its query. */
      const ok = async <T>(path: string, { method, body }: { method?: string; body?: object } = {}) => {
        const reply = await operator.call(method ?? (body === undefined ? 'GET' : 'POST'), path, {
          ...(body && { payload: body }),
        });
        if (reply.status !== 200)
          throw new Error(`${path} was answered with ${reply.status}: ${reply.error}.`);
        return reply.body as T;
      };
      const backend: Backend = {
        reply: (method, path, { headers, body }) =>
          operator.call(method, path, {
            headers: Object.fromEntries(new Headers(headers)),
            ...(typeof body === 'string' && { payload: body }),
          }),
        follow,
      };
      return { ...operator, ok, ...backend };
    },
  };
}
