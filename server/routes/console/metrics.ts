/** Prometheus text for the people who keep the machine running. */
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleDeps, ServiceDeps } from '../deps.ts';
import { CONDITION_CODES } from '../../contract/console/health.ts';
import { severityOf } from '../../domain/health/conditions.ts';
import { checksUnderWay } from '../../services/capture/capture.ts';
import { isMetricsToken } from '../../services/operators/metrics-token.ts';
import { bearerOf } from '../headers.ts';
import { authorise, sessionTokenOf } from './guard.ts';
import { isLocal, refuseForeignOrigin } from './origin.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const SIGN_IN_MESSAGE =
  'Send a token as "Authorization: Bearer …" (create one with "gatehouse metrics token"), or sign in to the console as an admin.\n';

/** Public on a console that only this machine can reach; otherwise for the token's holder and signed-in admins. */
export async function metricsRoutes(
  root: FastifyInstance,
  deps: Pick<
    ConsoleDeps,
    'db' | 'clock' | 'faces' | 'refusals' | 'unsavedActivity' | 'events' | 'node' | 'health' | 'isConsoleOpen'
  >,
): Promise<void> {
  const isOpenBeyondThisMachine = (request: FastifyRequest): boolean =>
    deps.isConsoleOpen() || !isLocal(request);

  async function mayRead(request: FastifyRequest): Promise<boolean> {
    const bearer = bearerOf(request);
    if (bearer !== null) return isMetricsToken(deps.db, bearer);
    if (sessionTokenOf(request) === null) return false;
    refuseForeignOrigin(request);
    await authorise(deps, request, { role: 'admin', background: true, installationWide: true });
    return true;
  }

  await root.register(async (app) => {
    await app.register(fastifyCookie);
    app.get('/metrics', async (request, reply) => {
      if (isOpenBeyondThisMachine(request) && !(await mayRead(request))) return askForToken(reply);
      return sendMetrics(deps, reply);
    });
  });
}

const askForToken = (reply: FastifyReply): FastifyReply =>
  reply
    .code(401)
    .header('www-authenticate', 'Bearer realm="Gatehouse metrics"')
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(SIGN_IN_MESSAGE);

/** Of the running process. */
async function sendMetrics(
  deps: Pick<ServiceDeps, 'db' | 'clock' | 'faces' | 'events' | 'node' | 'health'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, faces, events, node, health } = deps;
  const engine = faces.stats();
  const memory = process.memoryUsage();
  const among = node.status();
  const gauges: [name: string, help: string, value: number][] = [
    ['gatehouse_face_workers', 'Threads of the face engine.', engine.workers],
    ['gatehouse_face_workers_busy', 'Face engine threads checking a frame.', engine.busy],
    ['gatehouse_face_frames_queued', 'Frames waiting for a face engine thread.', engine.queuedFrames],
    [
      'gatehouse_face_worker_restarts',
      'Face engine threads replaced since the service started.',
      engine.restarts,
    ],
    ['gatehouse_sessions_followed', 'Sessions that an event stream follows.', events.followers()],
    [
      'gatehouse_sessions_checking',
      'Sessions whose frames are being checked.',
      await checksUnderWay({ db, clock }),
    ],
    ['gatehouse_node_leader', '1 on the node that runs background jobs.', among?.role === 'member' ? 0 : 1],
    [
      'gatehouse_node_ready',
      '0 while /readyz answers 503.',
      (among?.state ?? 'serving') === 'serving' && among?.commits !== false && health.notReady() === null
        ? 1
        : 0,
    ],
    ['gatehouse_node_index_lag', 'Face changes that the index has not read yet.', among?.indexLag ?? 0],
    ['process_resident_memory_bytes', 'Resident memory.', memory.rss],
    ['process_uptime_seconds', 'Time since the service started.', Math.round(process.uptime())],
  ];
  const lines = gauges.flatMap(([name, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`,
  ]);
  const backupAt = health.lastBackupAt();
  if (backupAt !== null) {
    lines.push(
      '# HELP gatehouse_backup_age_seconds Age of the last verified backup.',
      '# TYPE gatehouse_backup_age_seconds gauge',
      `gatehouse_backup_age_seconds ${Math.max(0, Math.round((clock.now() - backupAt) / 1_000))}`,
    );
  }
  lines.push(...conditionLines(health));
  return reply.type(METRICS_TYPE).send(`${lines.join('\n')}\n`);
}

/** Every condition has a line, so that an alert on one works before it first occurs. */
function conditionLines(health: ServiceDeps['health']): string[] {
  const standing = new Set(health.state().conditions.map(({ code }) => code));
  return [
    '# HELP gatehouse_condition 1 while the service has this problem.',
    '# TYPE gatehouse_condition gauge',
    ...CONDITION_CODES.map(
      (code) =>
        `gatehouse_condition{code="${code}",severity="${severityOf(code)}"} ${standing.has(code) ? 1 : 0}`,
    ),
  ];
}

/** `/metrics` for a browser: over plain HTTP the session's cookie is sent only below `/console/api`. */
export function metricsApiRoute(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'faces' | 'events' | 'node' | 'health'>,
): void {
  register(app, deps, system.metrics, async ({ reply }) => sendMetrics(deps, reply));
}
