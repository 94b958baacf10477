import type { FastifyInstance } from 'fastify';
import { LOGO_TYPES } from '../../contract/console/events.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
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
import { acceptFiles } from '../json-bodies.ts';
import { done, register } from './register.ts';
import {
  addKiosk,
  changeKiosk,
  command,
  readKiosks,
  renewCode,
  revoke,
} from '../../services/venue/kiosks.ts';
import { kiosks } from '../../contract/routes/console/kiosks.ts';
import { cancelStuckSession, reopenStuckSession } from '../../services/runs/stuck-sessions.ts';
import { readPageLight } from '../../services/settling/usual-light.ts';
import { readFirstSteps } from '../../services/setup/setup.ts';
import { readCodes, readDoor } from '../../services/venue/door.ts';
import { askReviewer, checkAgain, letIn } from '../../services/venue/door-actions.ts';
import { door } from '../../contract/routes/console/door.ts';

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
    async ({ scope, params: { event_id: id }, query: { language = 'en' }, reply }) => {
      // First, so that the file is named after an event that exists.
      const report = await readReport(deps, scope, id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="gatehouse-event-${id.slice(-8)}.csv"`)
        .send(reportCsv(report, language));
    },
  );
  imageRoutes(app, deps);
}

/** In a separate scope that reads pictures. Forms on other sites cannot send a picture’s content type. */
function imageRoutes(root: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  void root.register(async (app) => {
    acceptFiles(app, LOGO_TYPES);
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
      register(
        app,
        deps,
        put,
        ({ scope, params: { event_id: eventId }, query, request: { body }, actor }) => {
          if (!Buffer.isBuffer(body)) throw new Refusal('invalid_logo');
          return change(deps, { scope, eventId, bytes: body, version: query.version, actor });
        },
      );
      register(app, deps, get, async ({ scope, params: { event_id: eventId }, reply }) =>
        reply.type('image/webp').send(await readEventImage(deps, scope, { eventId, kind })),
      );
      register(app, deps, remove, ({ scope, params: { event_id: eventId }, query, actor }) =>
        change(deps, { scope, eventId, bytes: null, version: query.version, actor }),
      );
    }
  });
}

/** Kiosks, for staff at the door. */
export function kioskConsoleRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'randomInt' | 'baseUrl' | 'connectUrl' | 'trustPage'>,
): void {
  register(app, deps, kiosks.light, ({ scope, params: { kiosk_id: id } }) =>
    readPageLight(deps.db, scope, id),
  );
  register(app, deps, kiosks.list, async ({ company }) => ({ items: await readKiosks(deps, company.id) }));
  register(app, deps, kiosks.add, ({ company, body, actor }) => addKiosk(deps, company.id, body, actor));
  register(app, deps, kiosks.renewCode, ({ company, params: { kiosk_id: id }, actor }) =>
    renewCode(deps, company.id, id, actor),
  );
  register(app, deps, kiosks.change, ({ company, params: { kiosk_id: id }, body, actor }) =>
    changeKiosk(deps, company.id, id, body, actor),
  );
  register(app, deps, kiosks.revoke, ({ company, params: { kiosk_id: id }, body: { reason }, actor }) =>
    done(revoke(deps, company.id, id, { reason, actor })),
  );
  register(app, deps, kiosks.command, ({ company, params: { kiosk_id: id }, body: { kind }, actor }) =>
    done(command(deps, company.id, id, { kind, actor })),
  );
}

/** The door, for staff. */
export function doorRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'baseUrl' | 'codes' | 'connect' | 'deniedPictures'>,
): void {
  register(app, deps, door.read, ({ scope, query: { event_id: eventId }, signedIn }) =>
    readDoor(deps, scope, { eventId, role: signedIn.operator.role }),
  );
  register(app, deps, door.codes, async ({ scope, signedIn }) => ({
    read_out: !deps.codes.sends,
    items: await readCodes(deps, scope, signedIn),
  }));
  register(app, deps, door.firstSteps, ({ scope }) => readFirstSteps(deps, scope));
  register(app, deps, door.release, ({ scope, params, body, actor }) =>
    done(reopenStuckSession(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.cancel, ({ scope, params, body, actor }) =>
    done(cancelStuckSession(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.letIn, ({ scope, params, body, actor }) =>
    done(letIn(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.review, ({ scope, params, body, signedIn }) =>
    done(
      askReviewer(deps, scope, params.session_id, {
        reason: body.reason,
        operatorId: signedIn.operator.id,
      }),
    ),
  );
  register(app, deps, door.again, ({ scope, params, body, actor }) =>
    checkAgain(deps, scope, params.session_id, { ...body, actor }),
  );
}
