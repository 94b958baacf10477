import type { FastifyInstance } from 'fastify';
import { papers } from '../../contract/routes/console/papers.ts';
import { keepPapers, type PaperDeps, readPaper } from '../../services/papers/papers.ts';
import { register } from './register.ts';

export function paperRoutes(app: FastifyInstance, deps: PaperDeps): void {
  register(app, deps, papers.read, ({ scope, params: { paper }, query: { language = 'en', version } }) =>
    readPaper(deps, scope, { paper, language, version }),
  );
  register(app, deps, papers.keep, ({ scope, actor }) => keepPapers(deps, scope, actor));
}
