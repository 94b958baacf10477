import { Type } from 'typebox';
import {
  IssuedKeys,
  KeyIssue,
  KeyPage,
  KeyPair,
  KeyQuery,
  KeyRevoke,
  KeyRoll,
  KeysRevoked,
  NewPair,
} from '../../console/keys.ts';
import type { ConsoleRoutes } from '../route.ts';

export const keys = {
  list: {
    method: 'GET',
    path: '/keys',
    role: 'admin',
    summary: 'Pairs of keys, newest first',
    query: KeyQuery,
    reply: KeyPage,
  },
  read: {
    method: 'GET',
    path: '/keys/:pair_id',
    role: 'admin',
    summary: 'One pair of keys',
    params: { pair_id: Type.String() },
    reply: KeyPair,
  },
  issue: {
    method: 'POST',
    path: '/keys',
    role: 'admin',
    summary: 'Issue a pair of keys; shown this once',
    body: KeyIssue,
    reply: NewPair,
  },
  issueFirst: {
    method: 'POST',
    path: '/keys/first',
    role: 'admin',
    summary: 'Issue the first keys of a company that has none, all six; shown this once',
    reply: IssuedKeys,
  },
  roll: {
    method: 'POST',
    path: '/keys/:pair_id/roll',
    role: 'admin',
    summary: 'Replace a pair; the old one works on until its overlap ends',
    params: { pair_id: Type.String() },
    body: KeyRoll,
    reply: NewPair,
  },
  revoke: {
    method: 'POST',
    path: '/keys/:id/revoke',
    role: 'admin',
    summary: 'Revoke a pair or one key, at once',
    params: { id: Type.String() },
    body: KeyRevoke,
    reply: KeysRevoked,
  },
} as const satisfies ConsoleRoutes;
