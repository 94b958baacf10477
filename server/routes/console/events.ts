import type { FastifyInstance } from 'fastify';
import { LOGO_TYPES } from '../../contract/console/events.ts';
import type { ConsoleDeps } from '../../services/deps.ts';
import { ConsoleError } from '../../services/errors.ts';
import {
  changeEvent,
  createEvent,
  readEvent,
  readEventOptions,
  readEventPage,
} from '../../services/venue/events.ts';
import { changeLogo, changePicture, readEventImage } from '../../services/venue/logo.ts';
import { reportCsv } from '../../services/venue/report-csv.ts';
import { readReport } from '../../services/venue/report.ts';
import { events } from '../../contract/routes/console/events.ts';
import { register } from './register.ts';

/** Events: staff see them and their report, admins create and change them. */
export function eventRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, events.list, ({ scope, query }) => readEventPage(deps, scope, query));
  register(app, deps, events.options, ({ scope }) => readEventOptions(deps, scope));
  register(app, deps, events.read, ({ scope, params: { event_id: id } }) => readEvent(deps, scope, id));
  register(app, deps, events.create, ({ scope, body, actor }) => createEvent(deps, scope, body, actor));
  register(app, deps, events.change, ({ scope, params: { event_id: id }, body, actor }) =>
    changeEvent(deps, scope, id, body, actor),
  );
  register(app, deps, events.report, ({ scope, params: { event_id: id } }) => readReport(deps, scope, id));
  register(
    app,
    deps,
    events.reportCsv,
    async ({ scope, params: { event_id: id }, query: { language = 'en' }, reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="gatehouse-event.csv"')
        .send(reportCsv(await readReport(deps, scope, id), language)),
  );
  imageRoutes(app, deps);
}

/** In a separate scope that reads pictures. Forms on other sites cannot send a picture’s content type. */
function imageRoutes(root: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  void root.register(async (app) => {
    app.addContentTypeParser([...LOGO_TYPES], { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const images = [
      {
        kind: 'logo',
        change: changeLogo,
        put: events.changeLogo,
        get: events.logo,
        remove: events.removeLogo,
      },
      {
        kind: 'picture',
        change: changePicture,
        put: events.changePicture,
        get: events.picture,
        remove: events.removePicture,
      },
    ] as const;
    for (const { kind, change, put, get, remove } of images) {
      register(app, deps, put, ({ scope, params: { event_id: eventId }, request: { body }, actor }) => {
        if (!Buffer.isBuffer(body)) throw new ConsoleError('invalid_logo');
        return change(deps, { scope, eventId, bytes: body, actor });
      });
      register(app, deps, get, async ({ scope, params: { event_id: eventId }, reply }) =>
        reply.type('image/webp').send(await readEventImage(deps, scope, { eventId, kind })),
      );
      register(app, deps, remove, ({ scope, params: { event_id: eventId }, actor }) =>
        change(deps, { scope, eventId, bytes: null, actor }),
      );
    }
  });
}
