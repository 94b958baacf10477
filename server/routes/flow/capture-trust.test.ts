/** A capture is trusted if the paired kiosk of the session signed all of it. */
import { kiosk as kioskRow } from '../../../testing/store/rows.ts';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { CaptureRequest } from '../../contract/capture.ts';
import { signedTextOf } from '../../services/capture/kiosk-signature.ts';
import { giveConsent, openSession } from '../../services/runs/flow.ts';
import { initialize } from '../../services/runs/initialize.ts';
import { saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import { insertKiosk, pairKiosk } from '../../store/venue/kiosks.ts';
import {
  connectPage,
  followRequests,
  helloOf,
  type WirePage,
} from '../../../testing/camera/capture/exchange-client.ts';
import { madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { serveFlow } from '../../../testing/service/flow-server.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function publicPoint(): Buffer {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]);
}

/** Signs as the kiosk's page does, except for the stills that `leavesOut` names. */
function signing(page: WirePage, leavesOut: (seq: number) => boolean): WirePage {
  const requests = new Map<number, CaptureRequest>();
  let nonce = '';
  return {
    ...page,
    async hear() {
      const message = await page.hear();
      if (message?.type === 'welcome') nonce = message.sign_nonce ?? '';
      if (message?.type === 'request') requests.set(message.id, message);
      return message;
    },
    still(header, jpeg) {
      const request = requests.get(header.request);
      if (!request || leavesOut(header.seq)) {
        page.still(header, jpeg);
        return;
      }
      const sha256 = createHash('sha256').update(jpeg).digest('hex');
      const text = Buffer.from(signedTextOf(nonce, { request, seq: header.seq, sha256 }));
      const signature = sign('sha256', text, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      page.still({ ...header, signature: signature.toString('base64url') }, jpeg);
    },
  };
}

test.each([
  ['all stills signed: it counts', () => false, { state: 'settled', attempts_left: 3 }],
  ['one still unsigned: it has failed', (seq: number) => seq === 2, { state: 'open', attempts_left: 2 }],
] as const)('with %s if only kiosks are trusted', async (_title, leavesOut, snapshot) => {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const person = madeUpPerson(service.clock, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0));
  const deps = { ...service.deps, faces: { ...service.deps.faces, analyse: person.analyse } };
  const baseUrl = await serveFlow(deps);
  const started = await initialize(deps, await service.caller('sk_test'), {
    config: { capture: { trust: 'kiosk' } },
  });
  const sessionId = started.session_id ?? '';
  const at = service.clock.now();
  await deps.db.tx(async (tx) => {
    const codeHash = Buffer.alloc(32, 1);
    await insertKiosk(tx, kioskRow(service.company.company_id, 'kiosk', { codeHash, at }));
    await pairKiosk(tx, codeHash, { tokenHash: Buffer.alloc(32, 2), publicKey: publicPoint(), at });
    await saveKioskRun(tx, { sessionId, kioskId: 'kiosk', eventId: null, origin: 'scan', startedAt: at });
  });
  const { flow_token: flowToken } = await openSession(deps, sessionId, { device: 'kiosk' }, null);
  await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
  const target = { baseUrl, sessionId, flowToken };
  const page = signing(await connectPage(target), leavesOut);
  onTestFinished(() => page.drop());
  page.say(helloOf(target));
  const { last } = await followRequests(page, person);
  expect(last).toMatchObject({ type: 'verdict', snapshot });
});
