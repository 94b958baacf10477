import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import {
  issueKeyPair,
  issueMissingKeys,
  listKeyPairs,
  readKeyPair,
  renameKeyPair,
  revokeKeyOrPair,
  rollKeyPair,
} from '../../services/keys/manage.ts';
import { keys } from '../../contract/routes/console/keys.ts';
import { register } from './register.ts';

/** Keys, for admins. */
export function keyRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, keys.list, ({ scope, query }) => listKeyPairs(deps, scope, query));
  register(app, deps, keys.read, ({ scope, params }) => readKeyPair(deps, scope, params.pair_id));
  register(app, deps, keys.issue, ({ scope, body, actor }) => issueKeyPair(deps, { scope, ...body, actor }));
  register(app, deps, keys.rename, ({ scope, params, body, actor }) =>
    renameKeyPair(deps, params.pair_id, { scope, ...body, actor }),
  );
  register(app, deps, keys.issueFirst, ({ company, actor }) => issueMissingKeys(deps, company.id, actor));
  register(app, deps, keys.roll, ({ scope, params, body, actor }) =>
    rollKeyPair(deps, params.pair_id, { scope, ...body, actor }),
  );
  register(app, deps, keys.revoke, ({ scope, params, body, actor }) =>
    revokeKeyOrPair(deps, params.id, { scope, ...body, actor }),
  );
}
