import type { FastifyInstance } from 'fastify';
import { DemoCompany } from '../../contract/console/settings.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { ConsoleError } from '../../services/console-errors.ts';
import { makeDemo } from '../../services/demo/make.ts';
import { consoleRoute } from './route.ts';

export function demoRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'POST',
    url: '/demo',
    role: 'admin',
    summary: 'Make a demo company to look around in, once',
    response: DemoCompany,
    handler: async ({ actor }) => {
      const { embeddingModel: id, embeddingLength, thresholds } = deps.faces;
      const model = { id, embeddingLength, thresholds };
      const made = await makeDemo(deps.db, deps.clock, { size: 'small', model, actor });
      if (!made) throw new ConsoleError('name_taken', 'There is a demo company already.');
      return made;
    },
  });
}
