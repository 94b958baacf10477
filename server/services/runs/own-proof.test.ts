/** The proof of a run that was just made opens its guest's own data, and nobody else's. */
import { describe, expect, it } from 'vitest';
import { findPerson } from '../../store/people/people.ts';
import { NO_SKIP, passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { recordDevice } from '../../store/runs/session-holders.ts';
import { OWN_PROOF_MS } from '../connections/own-proof.ts';
import { readSnapshot } from './flow.ts';
import { disconnect, eraseMe, listOwnConnections } from './my-verifications.ts';

const proofOf = ({ result }: Awaited<ReturnType<typeof run>>): string => result?.own_data ?? '';

describe('the proof of a run', () => {
  it('opens the data of its guest, who gave no number, for a quarter of an hour', async () => {
    const service = await openTestService();
    const snapshot = await run(service, 'alice');
    const personId = (await passOf(service, snapshot)).personId ?? '';
    const list = () => listOwnConnections(service.deps, proofOf(snapshot));
    expect(await list()).toMatchObject([{ connection_id: personId, organiser: 'Venue', connected: true }]);
    service.clock.advance(OWN_PROOF_MS);
    expect(await refusalOf(list())).toBe('invalid_flow_token');
    expect((await readSnapshot(service.deps, snapshot.session_id)).result).not.toHaveProperty('own_data');
  });

  it('is the same text when the snapshot is read again, and reveals no session', async () => {
    const service = await openTestService();
    const snapshot = await run(service, 'alice');
    expect(proofOf(await readSnapshot(service.deps, snapshot.session_id))).toBe(proofOf(snapshot));
    const text = Buffer.from(proofOf(snapshot).slice(3), 'base64url').toString('latin1');
    expect(text).not.toContain(snapshot.session_id);
  });

  it('erases that guest and nobody else, and shows nobody afterwards', async () => {
    const service = await openTestService();
    const { deps } = service;
    const alice = await run(service, 'alice');
    const bob = (await passOf(service, await run(service, 'bob'))).personId ?? '';
    const own = (await passOf(service, alice)).personId ?? '';
    const proof = proofOf(alice);
    expect(await refusalOf(eraseMe(deps, proof, { connection_id: bob }))).toBe('not_found');
    expect(await refusalOf(disconnect(deps, proof, { connection_id: bob }))).toBe('not_found');
    expect(await disconnect(deps, proof, { connection_id: own })).toMatchObject([{ connected: false }]);
    expect(await eraseMe(deps, proof, { connection_id: own })).toEqual([]);
    expect(await listOwnConnections(deps, proof)).toEqual([]);
    const scope = service.scope('test');
    expect(await findPerson(deps.db, scope, own)).toBeUndefined();
    expect(await findPerson(deps.db, scope, bob)).toBeDefined();
  });

  it('is not given where the face or the account may be somebody else’s, nor at a kiosk', async () => {
    const service = await openTestService();
    const { deps } = service;
    expect(proofOf(await run(service, 'spoof', NO_SKIP))).toBe('');
    await run(service, 'alice', { external_id: 'one' });
    const flag = { config: { ...NO_SKIP.config, collision: { action: 'flag' } } };
    const flagged = await run(service, 'alice', { ...flag, external_id: 'two' });
    expect(flagged.result).toMatchObject({ presented: 'flagged' });
    expect(proofOf(flagged)).toBe('');
    const denied = await run(service, 'alice', { ...NO_SKIP, external_id: 'three' });
    expect(denied.result).toMatchObject({ presented: 'denied' });
    expect(proofOf(denied)).toBe('');
    const atKiosk = await run(service, 'carol');
    const { scope, id } = await sessionOf(service, atKiosk.session_id);
    await deps.db.tx((tx) => recordDevice(tx, scope, id, { device: 'kiosk', at: service.clock.now() }));
    expect(proofOf(await readSnapshot(deps, id))).toBe('');
  });

  it('is refused if it was changed, cut off or made elsewhere', async () => {
    const service = await openTestService();
    const other = await openTestService();
    const proof = proofOf(await run(service, 'alice'));
    const last = proof.at(-1) === 'A' ? 'B' : 'A';
    const foreign = proofOf(await run(other, 'alice'));
    for (const text of [proof.slice(0, -1) + last, proof.slice(0, 20), 'od_', `${proof}A`, foreign]) {
      expect(await refusalOf(listOwnConnections(service.deps, text)), text).toBe('invalid_flow_token');
    }
  });
});
