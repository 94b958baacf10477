import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  KeyIssue,
  KeyPage,
  KeyPair,
  KeyQuery,
  KeyRevoke,
  KeyRoll,
  KeysRevoked,
  NewPair,
} from '../../contract/console/keys.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  issueKeyPair,
  listKeyPairs,
  readKeyPair,
  revokeKeyOrPair,
  rollKeyPair,
} from '../../services/keys/manage.ts';
import { scopedRoute } from './route.ts';

/** Keys, for admins. */
export function keyRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/keys',
    role: 'admin',
    summary: 'Pairs of keys, newest first',
    query: KeyQuery,
    response: KeyPage,
    handler: ({ scope, query }) => listKeyPairs(deps, scope, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/keys/:pair_id',
    role: 'admin',
    summary: 'One pair of keys',
    params: { pair_id: Type.String() },
    response: KeyPair,
    handler: ({ scope, params }) => readKeyPair(deps, scope, params.pair_id),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/keys',
    role: 'admin',
    summary: 'Issue a pair of keys; shown this once',
    body: KeyIssue,
    response: NewPair,
    handler: ({ scope, body, actor }) => issueKeyPair(deps, { scope, ...body, actor }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/keys/:pair_id/roll',
    role: 'admin',
    summary: 'Replace a pair; the old one works on until its overlap ends',
    params: { pair_id: Type.String() },
    body: KeyRoll,
    response: NewPair,
    handler: ({ scope, params, body, actor }) => rollKeyPair(deps, params.pair_id, { scope, ...body, actor }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/keys/:id/revoke',
    role: 'admin',
    summary: 'Revoke a pair or one key, at once',
    params: { id: Type.String() },
    body: KeyRevoke,
    response: KeysRevoked,
    handler: ({ scope, params, body, actor }) => revokeKeyOrPair(deps, params.id, { scope, ...body, actor }),
  });
}
