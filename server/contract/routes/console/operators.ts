import {
  OperatorCreate,
  OperatorList,
  OperatorRecord,
  OperatorReset,
  OperatorUpdate,
  OperatorWithPassphrase,
} from '../../console/operators.ts';
import { type ConsoleRoutes, OF_INSTALLATION } from '../route.ts';
import { WithReason } from '../../console/common.ts';

export const operators = {
  list: {
    ...OF_INSTALLATION,
    method: 'GET',
    path: '/operators',
    summary: 'List operators',
    reply: OperatorList,
  },
  create: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators',
    summary: 'Create an operator',
    body: OperatorCreate,
    reply: OperatorWithPassphrase,
  },
  change: {
    ...OF_INSTALLATION,
    method: 'PATCH',
    path: '/operators/:operator_id',
    summary: 'Change the name, role or companies of an operator',
    body: OperatorUpdate,
    reply: OperatorRecord,
  },
  disable: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators/:operator_id/disable',
    summary: 'Disable an operator immediately',
    body: WithReason,
    reply: OperatorRecord,
  },
  enable: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators/:operator_id/enable',
    summary: 'Enable an operator',
    body: WithReason,
    reply: OperatorRecord,
  },
  reset: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators/:operator_id/reset',
    summary: 'Reset the passphrase of an operator',
    body: OperatorReset,
    reply: OperatorWithPassphrase,
  },
  resetSecondFactor: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators/:operator_id/second-factor/reset',
    summary: 'Remove an operator’s second factor',
    body: WithReason,
    reply: OperatorRecord,
  },
  resetPasskeys: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/operators/:operator_id/passkeys/reset',
    summary: 'Remove all passkeys of an operator',
    body: WithReason,
    reply: OperatorRecord,
  },
} as const satisfies ConsoleRoutes;
