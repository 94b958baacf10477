/** Decisions §6: the person's first act binds the run; until then the page that opened the link last has it. */
import { describe, expect, it } from 'vitest';
import { createRun, PHONE } from '../../../testing/service/connect-runs.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { offerContinuation } from './continuation.ts';
import { authoriseFlow, decline, giveConsent, openSession } from './flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from './handoff.ts';
import { initialize } from './initialize.ts';
import { openInvite } from './invites.ts';

const ROUNDS = 6;

/** A page that opened the link, and what its guest can do. */
async function pageOf(
  { deps }: TestService,
  id: string,
  device: 'mobile' | 'desktop' = 'mobile',
  key?: string,
) {
  const request = { device, ...(key !== undefined && { resume_key: key }) };
  const { flow_token: token, snapshot } = await openSession(deps, id, request, null);
  const session = () => authoriseFlow(deps, id, token);
  return {
    token,
    snapshot,
    session,
    consent: async () => giveConsent(deps, await session(), { accepted: true }),
    decline: async () => decline(deps, await session()),
    offer: async () => offerHandoff(deps, await session()),
  };
}

async function newRun(service: TestService): Promise<string> {
  const { session_id: id } = await initialize(service.deps, await service.caller('sk_test'), {});
  return id ?? '';
}

/** A phone that scanned a computer's code and waits for the number. */
async function scanned({ deps }: TestService, id: string, offer: { url: string }) {
  const code = offer.url.split('#h=')[1] ?? '';
  return openHandoff(deps, { session_id: id, code, device: 'mobile' });
}

describe('before anybody has acted', () => {
  it('a page that only loads the link, as a mail scanner does, spends nothing: the next one makes the check', async () => {
    const service = await openTestService();
    const id = await newRun(service);
    const scanner = await pageOf(service, id, 'desktop');
    const guest = await pageOf(service, id);
    expect(guest.snapshot).toMatchObject({ state: 'open', step: 'consent', attempts_left: 3 });
    expect((await guest.consent()).step).toBe('capture');
    expect(await refusalOf(scanner.session())).toBe('invalid_flow_token');
    const verdict = await captureTestFace(service.deps, await guest.session(), 'alice');
    expect(verdict.result?.verified).toBe(true);
  });

  it('the older page can neither read, act, hand off nor move the run', async () => {
    const service = await openTestService();
    const { deps } = service;
    const id = await newRun(service);
    const laptop = await pageOf(service, id, 'desktop');
    const held = await laptop.session();
    await pageOf(service, id);
    for (const act of [laptop.session, laptop.consent, laptop.decline, laptop.offer]) {
      expect(await refusalOf(act())).toBe('invalid_flow_token');
    }
    // Authorised just before the other page opened.
    expect(await refusalOf(giveConsent(deps, held, { accepted: true }))).toBe('invalid_flow_token');
    expect(await refusalOf(decline(deps, held))).toBe('invalid_flow_token');
    expect(await refusalOf(offerHandoff(deps, held))).toBe('invalid_flow_token');
    const moved = await offerContinuation(deps, held, laptop.token);
    expect(moved.url).toContain('#c=');
    expect((await sessionOf(service, id)).consentAt).toBeNull();
  });

  it('a page that is opened again continues here, and the other one is the older', async () => {
    const service = await openTestService();
    const id = await newRun(service);
    const laptop = await pageOf(service, id, 'desktop', 'a-long-random-key-1');
    const phone = await pageOf(service, id);
    const again = await pageOf(service, id, 'desktop', 'a-long-random-key-1');
    expect(await refusalOf(phone.consent())).toBe('invalid_flow_token');
    expect(await refusalOf(laptop.consent())).toBe('invalid_flow_token');
    expect((await again.consent()).step).toBe('capture');
  });

  it('a reload in the same browser keeps its token', async () => {
    const service = await openTestService();
    const id = await newRun(service);
    const { token } = await pageOf(service, id);
    const again = await openSession(service.deps, id, { device: 'mobile' }, token);
    expect(again.flow_token).toBe(token);
  });

  it('another page takes a waiting phone out of the run with the computer that offered it', async () => {
    const service = await openTestService();
    const id = await newRun(service);
    const offer = await (await pageOf(service, id, 'desktop')).offer();
    const phone = await scanned(service, id, offer);
    const other = await pageOf(service, id);
    expect(other.snapshot.handoff).toBeNull();
    expect(await refusalOf(confirmNumber(service.deps, id, phone.flow_token, offer.match_code))).toBe(
      'invalid_flow_token',
    );
    expect((await other.consent()).step).toBe('capture');
  });

  it('an invite is spent by no page either', async () => {
    const service = await openTestService();
    const { deps } = service;
    const body = { expire_in_days: 1, email: 'alice@example.com' };
    const { url } = await initialize(deps, await service.caller('sk_test'), body);
    const open = () =>
      openInvite(deps, url.split('/').at(-1) ?? '', {
        device: 'mobile',
        flowToken: null,
        address: '198.51.100.1',
      });
    const first = await open();
    const second = await open();
    const id = second.snapshot.session_id;
    expect(first.snapshot.session_id).toBe(id);
    const held = await authoriseFlow(deps, id, second.flow_token);
    expect(await refusalOf(authoriseFlow(deps, id, first.flow_token))).toBe('invalid_flow_token');
    expect((await giveConsent(deps, held, { accepted: true })).step).toBe('capture');
  });
});

describe('the first act', () => {
  it('binds the run: afterwards a second device gets session_claimed', async () => {
    const service = await openTestService();
    const id = await newRun(service);
    await (await pageOf(service, id)).consent();
    expect(await refusalOf(pageOf(service, id))).toBe('session_claimed');
  });

  it('may be the number of a hand-off, which binds the run to the computer and its phone', async () => {
    const service = await openTestService();
    const { deps } = service;
    const id = await newRun(service);
    const computer = await pageOf(service, id, 'desktop');
    const offer = await computer.offer();
    const phone = await scanned(service, id, offer);
    await confirmNumber(deps, id, phone.flow_token, offer.match_code);
    expect(await refusalOf(pageOf(service, id))).toBe('session_claimed');
    const held = await authoriseFlow(deps, id, phone.flow_token);
    expect((await giveConsent(deps, held, { accepted: true })).step).toBe('capture');
  });

  it.each(['consent', 'decline', 'number'] as const)(
    'of two pages at the same time is one: %s against the consent of a page that opens meanwhile',
    async (act) => {
      const service = await openTestService();
      const { deps } = service;
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await newRun(service);
        const older = await pageOf(service, id, 'desktop');
        const number = act === 'number' ? await older.offer() : null;
        const phone = number && (await scanned(service, id, number));
        const acts = [
          async () => {
            if (number && phone) await confirmNumber(deps, id, phone.flow_token, number.match_code);
            else await older[act === 'decline' ? 'decline' : 'consent']();
          },
          async () => {
            await (await pageOf(service, id)).consent();
          },
        ];
        const ordered = round % 2 === 0 ? acts : acts.toReversed();
        const done = await Promise.allSettled(ordered.map((each) => each()));
        const refused = done.flatMap(({ status, ...rest }) => (status === 'rejected' ? [rest] : []));
        expect(refused, `round ${round}`).toHaveLength(1);
      }
    },
  );

  it('of two pages authorised at the same time is one, whichever has the newest token', async () => {
    const service = await openTestService();
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await newRun(service);
      const older = await pageOf(service, id);
      const [newer] = await Promise.all([pageOf(service, id), older.session().catch(() => undefined)]);
      const done = await Promise.allSettled([older.consent(), newer.consent(), older.decline()]);
      expect(done.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    }
  });
});

describe('the t of a v2 direct link', () => {
  const openWith = ({ deps }: TestService, id: string, t?: string, key?: string) =>
    openSession(
      deps,
      id,
      { device: 'mobile', ...(t !== undefined && { t }), ...(key !== undefined && { resume_key: key }) },
      null,
    );

  it('is spent by the first act, not by a page that loads', async () => {
    const service = await openTestService();
    const { id, t = '' } = await createRun(service, { phone: PHONE });
    await openWith(service, id, t);
    const { flow_token: token } = await openWith(service, id, t);
    expect((await sessionOf(service, id)).directTokenUsedAt).toBeNull();
    const held = await authoriseFlow(service.deps, id, token);
    expect((await giveConsent(service.deps, held, { accepted: true })).step).toBe('capture');
    expect(await refusalOf(openWith(service, id, t))).toBe('link_used');
  });

  it('proves the number for the page that brought it only', async () => {
    const service = await openTestService();
    const { id, t = '' } = await createRun(service, { phone: PHONE });
    await openWith(service, id, t);
    const { flow_token: token } = await openWith(service, id);
    const held = await authoriseFlow(service.deps, id, token);
    expect((await giveConsent(service.deps, held, { accepted: true })).step).toBe('phone');
  });

  it('is kept by the same device after a lost reply, before and after the act', async () => {
    const service = await openTestService();
    const { id, t = '' } = await createRun(service, { phone: PHONE });
    await openWith(service, id, t, 'a-long-random-key-1');
    const { flow_token: token } = await openWith(service, id, undefined, 'a-long-random-key-1');
    const held = await authoriseFlow(service.deps, id, token);
    expect((await giveConsent(service.deps, held, { accepted: true })).step).toBe('capture');
    expect((await openWith(service, id, t, 'a-long-random-key-1')).snapshot.step).toBe('capture');
  });
});
