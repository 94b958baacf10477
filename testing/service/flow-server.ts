/** The flow API on its own port, with a session whose person has given consent. */
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { FaceEngine } from '../../server/face/engine.ts';
import { createFastify } from '../../server/http/public-app.ts';
import { flowRoutes } from '../../server/routes/flow/index.ts';
import type { ServiceDeps } from '../../server/routes/deps.ts';
import { giveConsent, openSession } from '../../server/services/runs/flow.ts';
import { initialize } from '../../server/services/runs/initialize.ts';
import type { FlowTarget } from '../camera/capture/exchange-client.ts';
import { sessionOf } from './runs.ts';
import type { TestService } from './temp-service.ts';

type FlowServer = { service: TestService; deps: ServiceDeps; target: FlowTarget };

/** @param faces the engine that measures the stills */
export async function openFlowServer(service: TestService, faces: Partial<FaceEngine>): Promise<FlowServer> {
  onTestFinished(() => service.deps.faceIndex.close());
  const deps = { ...service.deps, faces: { ...service.deps.faces, ...faces } };
  const baseUrl = await serveFlow(deps);
  return { service, deps, target: { baseUrl, ...(await openConsentedSession(service)) } };
}

/** A session on a phone whose person has given consent. */
export async function openConsentedSession(service: TestService): Promise<Omit<FlowTarget, 'baseUrl'>> {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const sessionId = id ?? '';
  const { flow_token: flowToken } = await openSession(deps, sessionId, { device: 'mobile' }, null);
  await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
  return { sessionId, flowToken };
}

/** @returns its origin */
export async function serveFlow(deps: ServiceDeps): Promise<string> {
  const app = createFastify(pino({ level: 'silent' }), 0);
  await app.register(flowRoutes, { deps });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return baseUrl;
}
