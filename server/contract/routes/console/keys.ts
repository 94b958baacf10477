import {
  IssuedKeys,
  KeyIssue,
  KeyPage,
  KeyPair,
  KeyQuery,
  KeyRename,
  KeyRoll,
  KeysRevoked,
  PairIssued,
  PairRolled,
} from '../../console/keys.ts';
import type { ConsoleRoutes } from '../route.ts';
import { WithReason } from '../../console/common.ts';

export const keys = {
  list: {
    method: 'GET',
    path: '/keys',
    role: 'admin',
    summary: 'List key pairs, newest first',
    query: KeyQuery,
    reply: KeyPage,
  },
  read: {
    method: 'GET',
    path: '/keys/:pair_id',
    role: 'admin',
    summary: 'Read a key pair',
    reply: KeyPair,
  },
  issue: {
    method: 'POST',
    path: '/keys',
    role: 'admin',
    summary: 'Issue a key pair; shown once',
    body: KeyIssue,
    reply: PairIssued,
  },
  rename: {
    method: 'PATCH',
    path: '/keys/:pair_id',
    role: 'admin',
    summary: 'Say what a key pair is for',
    body: KeyRename,
    reply: KeyPair,
  },
  issueFirst: {
    method: 'POST',
    path: '/keys/first',
    role: 'admin',
    summary: 'Issue the first six keys of a company; shown once',
    reply: IssuedKeys,
  },
  roll: {
    method: 'POST',
    path: '/keys/:pair_id/roll',
    role: 'admin',
    summary: 'Replace a key pair; the old one stays active until the overlap ends',
    body: KeyRoll,
    reply: PairRolled,
  },
  revoke: {
    method: 'POST',
    path: '/keys/:id/revoke',
    role: 'admin',
    summary: 'Revoke a pair or one key immediately',
    body: WithReason,
    reply: KeysRevoked,
  },
} as const satisfies ConsoleRoutes;
