import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServiceDeps } from '../../services/deps.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1f2423; --soft: #5b6462; --paper: #faf9f7; --line: #dcd9d3; --teal: #0f5f5a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae6; --soft: #a6adab; --paper: #1a1d1c; --line: #343a38; --teal: #6cc5bd; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
p { color: var(--soft); margin: 0 0 1.5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .5rem 1.5rem; border-top: 1px solid var(--line); padding-top: 1.5rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
code { font-family: ui-monospace, monospace; }
`;

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What stands for the console while its pages are not built: that the service runs, where, and what to do. */
export function unbuiltHome(
  app: FastifyInstance,
  { baseUrl, faces }: ServiceDeps,
): (reply: FastifyReply) => FastifyReply {
  app.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE));

  return (reply) => {
    const engine = faces.stats();
    const rows: [term: string, value: string][] = [
      ['Service', baseUrl()],
      [
        'Face engine',
        engine.workers > 0 ? `${engine.workers} threads ready` : 'not available: models are missing',
      ],
      ['Waiting frames', String(engine.queuedFrames)],
    ];
    const list = rows.map(([term, value]) => `<dt>${escape(term)}</dt><dd>${escape(value)}</dd>`).join('');
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
          `<title>Gatehouse</title><link rel="stylesheet" href="/style.css"></head><body><main>` +
          `<h1>Gatehouse is running</h1><p>The console's pages are not built. Run <code>npm run build</code>, or start ` +
          `with <code>npm start</code>. Until then, <code>npm run -s gatehouse -- help</code> lists what can be done on ` +
          `this machine.</p><dl>${list}</dl></main></body></html>`,
      );
  };
}
