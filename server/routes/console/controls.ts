import type { FastifyInstance } from 'fastify';
import { LOGO_TYPES } from '../../contract/console/events.ts';
import { controls } from '../../contract/routes/console/controls.ts';
import { Refusal } from '../../refusals/refusal.ts';
import {
  addControlPicture,
  changeControlRate,
  readControlJpeg,
  readControlSettings,
  removeControlPerson,
} from '../../services/reviews/controls/settings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { acceptFiles } from '../json-bodies.ts';
import { register } from './register.ts';

/** Control cases, for admins. */
export function controlRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock' | 'faces'>): void {
  register(app, deps, controls.read, () => readControlSettings(deps));
  register(app, deps, controls.change, ({ body, actor }) => changeControlRate(deps, body, actor));
  register(app, deps, controls.removePerson, ({ params: { name }, actor }) =>
    removeControlPerson(deps, name, actor),
  );
  register(app, deps, controls.picture, async ({ params, reply }) =>
    reply.type('image/jpeg').send(Buffer.from(await readControlJpeg(deps, params.picture_id))),
  );
  void app.register(async (pictures) => {
    acceptFiles(pictures, LOGO_TYPES);
    register(
      pictures,
      deps,
      controls.addPicture,
      ({ params: { name }, query: { keep_days: keepDays }, request: { body }, actor }) => {
        if (!Buffer.isBuffer(body)) throw new Refusal('invalid_logo');
        return addControlPicture(deps, { name, bytes: body, keepDays, actor });
      },
    );
  });
}
