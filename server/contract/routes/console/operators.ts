import { Type } from 'typebox';
import {
  OperatorCreate,
  OperatorList,
  OperatorReason,
  OperatorRecord,
  OperatorReset,
  OperatorUpdate,
  OperatorWithPassphrase,
} from '../../console/operators.ts';
import type { ConsoleRoutes } from '../route.ts';

const operator = { operator_id: Type.String() };

export const operators = {
  list: {
    method: 'GET',
    path: '/operators',
    role: 'admin',
    about: 'installation',
    summary: 'All operators',
    reply: OperatorList,
  },
  create: {
    method: 'POST',
    path: '/operators',
    role: 'admin',
    about: 'installation',
    summary: 'Make an operator',
    body: OperatorCreate,
    reply: OperatorWithPassphrase,
  },
  change: {
    method: 'PATCH',
    path: '/operators/:operator_id',
    role: 'admin',
    about: 'installation',
    summary: 'Rename an operator, change their role or their companies',
    params: operator,
    body: OperatorUpdate,
    reply: OperatorRecord,
  },
  disable: {
    method: 'POST',
    path: '/operators/:operator_id/disable',
    role: 'admin',
    about: 'installation',
    summary: 'Keep an operator out, at once',
    params: operator,
    body: OperatorReason,
    reply: OperatorRecord,
  },
  enable: {
    method: 'POST',
    path: '/operators/:operator_id/enable',
    role: 'admin',
    about: 'installation',
    summary: 'Let an operator in again',
    params: operator,
    body: OperatorReason,
    reply: OperatorRecord,
  },
  reset: {
    method: 'POST',
    path: '/operators/:operator_id/reset',
    role: 'admin',
    about: 'installation',
    summary: 'Give an operator a new passphrase',
    params: operator,
    body: OperatorReset,
    reply: OperatorWithPassphrase,
  },
  resetSecondFactor: {
    method: 'POST',
    path: '/operators/:operator_id/second-factor/reset',
    role: 'admin',
    about: 'installation',
    summary: 'Remove an operator’s second factor',
    params: operator,
    body: OperatorReason,
    reply: OperatorRecord,
  },
} as const satisfies ConsoleRoutes;
