/** The console's real API and database in this process, for a page of `console.fixture.tsx`. */
import { openConsoleServer } from '../../../testing/service/console-server.ts';
import type { Role } from '../../../server/contract/console/common.ts';
import { followChanges } from '../../../server/services/changes/changes.ts';
import type { Backend } from './console.fixture.tsx';

export async function openService() {
  const { service, as } = await openConsoleServer();
  // Without one the console's first page is the wizard.
  await as('admin');
  return {
    ...service,
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
        follow: (query, tell) =>
          followChanges(
            service.deps,
            { companyId: query.get('company_id') ?? '', page: query.get('page') ?? undefined },
            tell,
          ),
      };
      return { ...operator, ok, ...backend };
    },
  };
}
