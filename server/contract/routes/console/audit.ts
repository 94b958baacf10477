import { AuditFilters, AuditPage, AuditQuery, AuditVerdict } from '../../console/audit.ts';
import { type ConsoleRoutes, OF_INSTALLATION } from '../route.ts';

export const audit = {
  list: {
    method: 'GET',
    path: '/audit',
    role: 'admin',
    about: 'operator',
    summary: 'Audit log, newest first',
    query: AuditQuery.properties,
    reply: AuditPage,
  },
  export: {
    method: 'GET',
    path: '/audit/export',
    role: 'admin',
    about: 'operator',
    summary: 'Audit log as JSON, one entry per line',
    query: AuditFilters.properties,
  },
  verify: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/audit/verify',
    summary: 'Verify the audit log',
    reply: AuditVerdict,
  },
} as const satisfies ConsoleRoutes;
