import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  OperatorCreate,
  OperatorList,
  OperatorReason,
  OperatorRecord,
  OperatorReset,
  OperatorUpdate,
  OperatorWithPassphrase,
} from '../../contract/console/operators.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  changeOperator,
  createOperator,
  listOperatorRecords,
  resetOperator,
  resetOperatorFactor,
} from '../../services/operators/operators.ts';
import { consoleRoute } from './route.ts';

/** Operators, for admins. */
export function operatorRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { operator_id: Type.String() };

  consoleRoute(app, {
    method: 'GET',
    url: '/operators',
    role: 'admin',
    summary: 'All operators',
    response: OperatorList,
    handler: async () => ({ items: await listOperatorRecords(deps) }),
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/operators',
    role: 'admin',
    summary: 'Make an operator',
    body: OperatorCreate,
    response: OperatorWithPassphrase,
    handler: ({ body: { company_ids: companyIds, ...body }, actor }) =>
      createOperator(deps, { ...body, companyIds, origin: 'console', actor }),
  });
  consoleRoute(app, {
    method: 'PATCH',
    url: '/operators/:operator_id',
    role: 'admin',
    summary: 'Rename an operator, change their role or their companies',
    params,
    body: OperatorUpdate,
    response: OperatorRecord,
    handler: ({ params: { operator_id: id }, body, actor }) =>
      changeOperator(
        deps,
        id,
        { name: body.name, role: body.role, companyIds: body.company_ids },
        { reason: body.reason, actor },
      ),
  });
  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    consoleRoute(app, {
      method: 'POST',
      url: `/operators/:operator_id/${verb}`,
      role: 'admin',
      summary: disabled ? 'Keep an operator out, at once' : 'Let an operator in again',
      params,
      body: OperatorReason,
      response: OperatorRecord,
      handler: ({ params: { operator_id: id }, body: { reason }, actor }) =>
        changeOperator(deps, id, { disabled }, { reason, actor }),
    });
  }
  consoleRoute(app, {
    method: 'POST',
    url: '/operators/:operator_id/reset',
    role: 'admin',
    summary: 'Give an operator a new passphrase',
    params,
    body: OperatorReset,
    response: OperatorWithPassphrase,
    handler: ({ params: { operator_id: id }, body, actor }) => resetOperator(deps, id, { ...body, actor }),
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/operators/:operator_id/second-factor/reset',
    role: 'admin',
    summary: 'Remove an operator’s second factor',
    params,
    body: OperatorReason,
    response: OperatorRecord,
    handler: ({ params: { operator_id: id }, body: { reason }, actor }) =>
      resetOperatorFactor(deps, id, { reason, actor }),
  });
}
