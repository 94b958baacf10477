import { PageLight, PageQuery, WithReason } from '../../console/common.ts';
import { ConsoleVerification, VerificationFields, VerificationPage } from '../../console/verifications.ts';
import type { ConsoleRoutes } from '../route.ts';

export const verifications = {
  list: {
    method: 'GET',
    path: '/verifications',
    role: 'admin',
    summary: 'List the company’s verifications, oldest first',
    query: PageQuery,
    reply: VerificationPage,
  },
  read: {
    method: 'GET',
    path: '/verifications/:verification_id',
    role: 'admin',
    summary: 'Read a verification with its hosted link',
    reply: ConsoleVerification,
  },
  light: {
    method: 'GET',
    path: '/verifications/:verification_id/light',
    role: 'admin',
    summary: 'Read whether the page’s light is usually seen on faces, other than at kiosks',
    reply: PageLight,
  },
  create: {
    method: 'POST',
    path: '/verifications',
    role: 'admin',
    summary: 'Create a verification',
    body: VerificationFields,
    reply: ConsoleVerification,
  },
  change: {
    method: 'PATCH',
    path: '/verifications/:verification_id',
    role: 'admin',
    summary: 'Change a verification; fields left out stay',
    body: VerificationFields,
    reply: ConsoleVerification,
  },
  makeDefault: {
    method: 'POST',
    path: '/verifications/:verification_id/default',
    role: 'admin',
    summary: 'Make a verification the default',
    body: WithReason,
    reply: ConsoleVerification,
  },
} as const satisfies ConsoleRoutes;
