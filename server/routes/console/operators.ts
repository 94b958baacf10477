import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { createOperator, resetOperator, resetOperatorFactor } from '../../services/operators/operators.ts';
import { resetPasskeys } from '../../services/operators/passkeys.ts';
import { listOperatorRecords, recordOf } from '../../services/operators/records.ts';
import { changeOperator } from '../../services/operators/change.ts';
import { operators } from '../../contract/routes/console/operators.ts';
import { register } from './register.ts';

/** Operators, for admins. */
export function operatorRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'randomInt'>,
): void {
  register(app, deps, operators.list, async () => ({ items: await listOperatorRecords(deps) }));
  register(app, deps, operators.create, ({ body: { company_ids: companyIds, ...body }, actor }) =>
    createOperator(deps, { ...body, companyIds, origin: 'console', actor }),
  );
  register(app, deps, operators.change, ({ params: { operator_id: id }, body, actor }) =>
    changeOperator(
      deps,
      id,
      { name: body.name, role: body.role, companyIds: body.company_ids, version: body.version },
      { reason: body.reason, actor },
    ),
  );
  register(app, deps, operators.disable, ({ params, body, actor }) =>
    changeOperator(deps, params.operator_id, { disabled: true }, { ...body, actor }),
  );
  register(app, deps, operators.enable, ({ params, body, actor }) =>
    changeOperator(deps, params.operator_id, { disabled: false }, { ...body, actor }),
  );
  register(app, deps, operators.reset, ({ params: { operator_id: id }, body, actor }) =>
    resetOperator(deps, id, { ...body, actor }),
  );
  register(
    app,
    deps,
    operators.resetSecondFactor,
    ({ params: { operator_id: id }, body: { reason }, actor }) =>
      resetOperatorFactor(deps, id, { reason, actor }),
  );
  register(
    app,
    deps,
    operators.resetPasskeys,
    async ({ params: { operator_id: id }, body: { reason }, actor }) => {
      await resetPasskeys(deps, id, { reason, actor });
      return recordOf(deps, id);
    },
  );
}
