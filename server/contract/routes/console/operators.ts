import { Type } from 'typebox';
import {
  OperatorCreate,
  OperatorList,
  OperatorRecord,
  OperatorReset,
  OperatorUpdate,
  OperatorWithPassphrase,
} from '../../console/operators.ts';
import type { ConsoleRoutes } from '../route.ts';
import { WithReason } from '../../console/common.ts';

const operator = { operator_id: Type.String() };

export const operators = {
  list: {
    method: 'GET',
    path: '/operators',
    role: 'admin',
    about: 'installation',
    summary: 'List operators',
    reply: OperatorList,
  },
  create: {
    method: 'POST',
    path: '/operators',
    role: 'admin',
    about: 'installation',
    summary: 'Create an operator',
    body: OperatorCreate,
    reply: OperatorWithPassphrase,
  },
  change: {
    method: 'PATCH',
    path: '/operators/:operator_id',
    role: 'admin',
    about: 'installation',
    summary: 'Change the name, role or companies of an operator',
    params: operator,
    body: OperatorUpdate,
    reply: OperatorRecord,
  },
  disable: {
    method: 'POST',
    path: '/operators/:operator_id/disable',
    role: 'admin',
    about: 'installation',
    summary: 'Disable an operator immediately',
    params: operator,
    body: WithReason,
    reply: OperatorRecord,
  },
  enable: {
    method: 'POST',
    path: '/operators/:operator_id/enable',
    role: 'admin',
    about: 'installation',
    summary: 'Enable an operator',
    params: operator,
    body: WithReason,
    reply: OperatorRecord,
  },
  reset: {
    method: 'POST',
    path: '/operators/:operator_id/reset',
    role: 'admin',
    about: 'installation',
    summary: 'Reset the passphrase of an operator',
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
    body: WithReason,
    reply: OperatorRecord,
  },
  resetPasskeys: {
    method: 'POST',
    path: '/operators/:operator_id/passkeys/reset',
    role: 'admin',
    about: 'installation',
    summary: 'Remove all passkeys of an operator',
    params: operator,
    body: WithReason,
    reply: OperatorRecord,
  },
} as const satisfies ConsoleRoutes;
