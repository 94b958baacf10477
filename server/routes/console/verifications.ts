import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { PageQuery } from '../../contract/console/common.ts';
import {
  ConsoleVerification,
  VerificationDefault,
  VerificationFields,
  VerificationPage,
} from '../../contract/console/verifications.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  editVerification,
  listVerifications,
  readVerification,
} from '../../services/companies/manage-verifications.ts';
import { scopedRoute } from './route.ts';

/** Verifications, for admins. */
export function verificationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { verification_id: Type.String() };
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/verifications',
    role: 'admin',
    summary: 'Verifications of the company, oldest first',
    query: PageQuery,
    response: VerificationPage,
    handler: ({ company, query }) => listVerifications(deps, company.id, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/verifications/:verification_id',
    role: 'admin',
    summary: 'One verification with its hosted link',
    params,
    response: ConsoleVerification,
    handler: ({ company, params: { verification_id: id } }) => readVerification(deps, company.id, id),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/verifications',
    role: 'admin',
    summary: 'Make a verification',
    body: VerificationFields,
    response: ConsoleVerification,
    handler: ({ company, body, actor }) =>
      editVerification(deps, null, body, { companyId: company.id, actor }),
  });
  scopedRoute(app, deps, {
    method: 'PATCH',
    url: '/verifications/:verification_id',
    role: 'admin',
    summary: 'Change a verification; fields left out stay',
    params,
    body: VerificationFields,
    response: ConsoleVerification,
    handler: ({ company, params: { verification_id: id }, body, actor }) =>
      editVerification(deps, id, body, { companyId: company.id, actor }),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/verifications/:verification_id/default',
    role: 'admin',
    summary: 'Make it the one for requests that name none',
    params,
    body: VerificationDefault,
    response: ConsoleVerification,
    handler: ({ company, params: { verification_id: id }, body: { reason }, actor }) =>
      editVerification(deps, id, { makeDefault: true }, { companyId: company.id, actor, reason }),
  });
}
