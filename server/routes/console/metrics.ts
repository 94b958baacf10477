import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../../services/deps.ts';

/** Prometheus text: what someone who keeps the machine alive wants to see. */
export function metricsRoutes(app: FastifyInstance, { faces, events, checking }: ServiceDeps): void {
  app.get('/metrics', (_request, reply) => {
    const engine = faces.stats();
    const memory = process.memoryUsage();
    const gauges: [name: string, help: string, value: number][] = [
      ['gatehouse_face_workers', 'Threads of the face engine.', engine.workers],
      ['gatehouse_face_workers_busy', 'Threads that look at a frame right now.', engine.busy],
      ['gatehouse_face_frames_queued', 'Frames that wait for a thread.', engine.queuedFrames],
      ['gatehouse_face_worker_restarts', 'Threads replaced since the start.', engine.restarts],
      ['gatehouse_sessions_followed', 'Open event streams of sessions.', events.followers()],
      ['gatehouse_sessions_checking', 'Sessions whose frames are being judged.', checking.size],
      ['process_resident_memory_bytes', 'Resident memory.', memory.rss],
      ['process_uptime_seconds', 'Time since the start.', Math.round(process.uptime())],
    ];
    const lines = gauges.flatMap(([name, help, value]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      `${name} ${value}`,
    ]);
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
