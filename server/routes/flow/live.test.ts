/** The live capture over its carriers, as a page meets it: a real listener, store and settlement, made-up faces. */
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceDeps } from '../../services/deps.ts';
import { giveConsent, openSession } from '../../services/runs/flow.ts';
import { initialize } from '../../services/runs/initialize.ts';
import {
  connectLive,
  followLive,
  helloOf,
  type Carrier,
  type LivePage,
  type LiveTarget,
} from '../../../testing/camera/live-client.ts';
import { madeUpPerson } from '../../../testing/service/live-people.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { flowRoutes } from './index.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

type Venue = {
  service: TestService;
  target: LiveTarget;
  person: ReturnType<typeof madeUpPerson>;
  deps: ServiceDeps;
};

/** A server, and a session whose person has agreed. */
async function openVenue(): Promise<Venue> {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const person = madeUpPerson(service.clock, FACE);
  const deps = { ...service.deps, faces: { ...service.deps.faces, analyse: person.analyse } };
  const baseUrl = await serve(deps);
  return { service, person, deps, target: await consented(service, baseUrl) };
}

async function serve(deps: ServiceDeps): Promise<string> {
  const app = Fastify();
  await app.register(flowRoutes, { deps });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return baseUrl;
}

async function consented(service: TestService, baseUrl: string): Promise<LiveTarget> {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const sessionId = id ?? '';
  const { flow_token: flowToken } = await openSession(deps, sessionId, { device: 'mobile' }, null);
  await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
  return { baseUrl, sessionId, flowToken };
}

async function begun(target: LiveTarget, carrier: Carrier = 'socket'): Promise<LivePage> {
  const page = await connectLive(target, carrier);
  onTestFinished(() => page.drop());
  page.say(helloOf(target));
  return page;
}

test.each<Carrier>(['socket', 'posts'])(
  'a person passes over %s, and the run is settled',
  async (carrier) => {
    const { service, target, person } = await openVenue();
    const { last } = await followLive(await begun(target, carrier), person);
    expect(last).toMatchObject({
      type: 'verdict',
      snapshot: { state: 'settled', result: { verified: true } },
    });
    expect(await sessionOf(service, target.sessionId)).toMatchObject({
      state: 'settled',
      checkingUntil: null,
    });
  },
);
