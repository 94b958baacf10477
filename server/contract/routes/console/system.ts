import { Type } from 'typebox';
import { PageId } from '../../console/changes.ts';
import { WithReason } from '../../console/common.ts';
import { DemoCompany, DemoRemoved } from '../../console/settings.ts';
import { type ConsoleRoutes, OF_INSTALLATION, OF_OPERATOR } from '../route.ts';

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
    ...OF_INSTALLATION,
    method: 'GET',
    path: '/metrics',
    background: true,
    summary: 'Metrics as Prometheus text',
  },
  openApi: {
    ...OF_OPERATOR,
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
  },
  makeDemo: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/demo',
    summary: 'Create the company with sample data, once',
    reply: DemoCompany,
  },
  removeDemo: {
    ...OF_INSTALLATION,
    method: 'POST',
    path: '/demo/remove',
    summary: 'Remove the company with sample data, and everything in it',
    body: WithReason,
    reply: DemoRemoved,
  },
} as const satisfies ConsoleRoutes;
