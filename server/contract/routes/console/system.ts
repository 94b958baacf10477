import { Type } from 'typebox';
import { PageId } from '../../console/changes.ts';
import { WithReason } from '../../console/common.ts';
import { DemoCompany, DemoRemoved } from '../../console/settings.ts';
import type { ConsoleRoutes } from '../route.ts';

export const system = {
  changes: {
    method: 'GET',
    path: '/live',
    role: 'staff',
    background: true,
    query: { page: Type.Optional(PageId) },
    summary: 'Follow changes as server-sent events',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    role: 'admin',
    about: 'installation',
    background: true,
    summary: 'Metrics as Prometheus text',
  },
  openApi: {
    method: 'GET',
    path: '/openapi.json',
    role: 'staff',
    about: 'operator',
    summary: 'This document',
  },
  makeDemo: {
    method: 'POST',
    path: '/demo',
    role: 'admin',
    about: 'installation',
    summary: 'Create the company with sample data, once',
    reply: DemoCompany,
  },
  removeDemo: {
    method: 'POST',
    path: '/demo/remove',
    role: 'admin',
    about: 'installation',
    summary: 'Remove the company with sample data, and everything in it',
    body: WithReason,
    reply: DemoRemoved,
  },
} as const satisfies ConsoleRoutes;
