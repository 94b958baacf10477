import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../deps.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { makeDemo } from '../../services/demo/make.ts';
import { removeDemo } from '../../services/demo/remove.ts';
import { SIZES } from '../../services/demo/size.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

export function demoRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'faces' | 'faceIndex'>,
): void {
  register(app, deps, system.makeDemo, async ({ actor }) => {
    const { embeddingModel: id, embeddingLength, thresholds } = deps.faces;
    const model = { id, embeddingLength, thresholds };
    const made = await makeDemo(deps.db, deps.clock, { size: SIZES.small, model, actor });
    if (!made) throw new Refusal('demo_exists');
    return made;
  });
  register(app, deps, system.removeDemo, async ({ body: { reason }, actor }) => {
    const removed = await removeDemo(deps, { actor, reason });
    await deps.faceIndex.catchUpAll();
    return removed;
  });
}
