import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import {
  editVerification,
  listVerifications,
  readVerification,
} from '../../services/companies/manage-verifications.ts';
import { readPageLight } from '../../services/settling/usual-light.ts';
import { verifications } from '../../contract/routes/console/verifications.ts';
import { register } from './register.ts';

/** Verifications, for admins. */
export function verificationRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'baseUrl'>,
): void {
  register(app, deps, verifications.list, ({ company, query }) => listVerifications(deps, company.id, query));
  register(app, deps, verifications.read, ({ company, params: { verification_id: id } }) =>
    readVerification(deps, company.id, id),
  );
  register(app, deps, verifications.light, ({ scope, params: { verification_id: id } }) =>
    readPageLight(deps.db, scope, id),
  );
  register(app, deps, verifications.create, ({ company, body, actor }) =>
    editVerification(deps, null, body, { companyId: company.id, actor }),
  );
  register(app, deps, verifications.change, ({ company, params: { verification_id: id }, body, actor }) =>
    editVerification(deps, id, body, { companyId: company.id, actor }),
  );
  register(
    app,
    deps,
    verifications.makeDefault,
    ({ company, params: { verification_id: id }, body: { reason }, actor }) =>
      editVerification(deps, id, { makeDefault: true }, { companyId: company.id, actor, reason }),
  );
}
