import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  EventCreate,
  EventListQuery,
  EventOptions,
  EventPage,
  EventRecord,
  EventReport,
  EventUpdate,
  LOGO_TYPES,
  MAX_LOGO_BYTES,
} from '../../contract/console/events.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { ConsoleError } from '../../services/console-errors.ts';
import {
  changeEvent,
  createEvent,
  readEvent,
  readEventOptions,
  readEventPage,
} from '../../services/venue/events.ts';
import { changeLogo, readEventLogo } from '../../services/venue/logo.ts';
import { reportCsv } from '../../services/venue/report-csv.ts';
import { readReport } from '../../services/venue/report.ts';
import { scopedRoute } from './route.ts';

/** Events: staff see them and their report, admins make and change them. */
export function eventRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { event_id: Type.String() };

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/events',
    role: 'staff',
    summary: 'Events, latest start first',
    query: EventListQuery,
    response: EventPage,
    handler: ({ scope, query }) => readEventPage(deps, scope, query),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/events/options',
    role: 'admin',
    summary: 'What an event can run',
    response: EventOptions,
    handler: ({ scope }) => readEventOptions(deps, scope),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/events/:event_id',
    role: 'staff',
    summary: 'One event',
    params,
    response: EventRecord,
    handler: ({ scope, params: { event_id: id } }) => readEvent(deps, scope, id),
  });
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/events',
    role: 'admin',
    summary: 'Make an event',
    body: EventCreate,
    response: EventRecord,
    handler: ({ scope, body, actor }) => createEvent(deps, scope, body, actor),
  });
  scopedRoute(app, deps, {
    method: 'PATCH',
    url: '/events/:event_id',
    role: 'admin',
    summary: 'Change an event',
    params,
    body: EventUpdate,
    response: EventRecord,
    handler: ({ scope, params: { event_id: id }, body, actor }) => changeEvent(deps, scope, id, body, actor),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/events/:event_id/report',
    role: 'staff',
    summary: 'An event’s report, live and afterwards',
    params,
    response: EventReport,
    handler: ({ scope, params: { event_id: id } }) => readReport(deps, scope, id),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/events/:event_id/report.csv',
    role: 'staff',
    summary: 'The report as a table',
    params,
    handler: async ({ scope, params: { event_id: id }, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="gatehouse-event.csv"')
        .send(reportCsv(await readReport(deps, scope, id))),
  });
  logoRoutes(app, deps, params);
}

/** In a scope of their own, which reads pictures. A picture’s type is one that no form of another site can send. */
function logoRoutes(
  root: FastifyInstance,
  deps: ConsoleDeps,
  params: { event_id: ReturnType<typeof Type.String> },
): void {
  void root.register(async (app) => {
    app.addContentTypeParser(
      [...LOGO_TYPES],
      { parseAs: 'buffer', bodyLimit: MAX_LOGO_BYTES },
      (_request, body, done) => {
        done(null, body);
      },
    );
    scopedRoute(app, deps, {
      method: 'PUT',
      url: '/events/:event_id/logo',
      role: 'admin',
      summary: 'The logo on the event’s kiosks: the picture itself as body',
      params,
      bodyLimit: MAX_LOGO_BYTES,
      response: EventRecord,
      handler: ({ scope, params: { event_id: eventId }, request: { body }, actor }) => {
        if (!Buffer.isBuffer(body))
          throw new ConsoleError('invalid_logo', 'Send a PNG, JPEG or WebP picture.');
        return changeLogo(deps, { scope, eventId, bytes: body, actor });
      },
    });
    scopedRoute(app, deps, {
      method: 'GET',
      url: '/events/:event_id/logo',
      role: 'staff',
      summary: 'The logo, a WebP picture',
      params,
      background: true,
      handler: async ({ scope, params: { event_id: eventId }, reply }) =>
        reply.type('image/webp').send(await readEventLogo(deps, scope, eventId)),
    });
    scopedRoute(app, deps, {
      method: 'DELETE',
      url: '/events/:event_id/logo',
      role: 'admin',
      summary: 'Take the logo away',
      params,
      response: EventRecord,
      handler: ({ scope, params: { event_id: eventId }, actor }) =>
        changeLogo(deps, { scope, eventId, bytes: null, actor }),
    });
  });
}
