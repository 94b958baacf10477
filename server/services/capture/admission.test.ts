/** Which captures a process accepts, and how many bytes they may hold. */
import { describe, expect, test } from 'vitest';
import { testClock } from '../../../testing/service/temp-service.ts';
import {
  ADMISSION_ROOM,
  createAdmission,
  type AdmissionRoom,
  type Entrant,
  type CaptureEnd,
  type Place,
} from './admission.ts';

function opened(room: Partial<AdmissionRoom> = {}) {
  const clock = testClock();
  const admission = createAdmission({ ...ADMISSION_ROOM, ...room }, clock);
  const tryEnter = (
    sessionId: string,
    address = '192.0.2.1',
    change: Partial<Pick<Entrant, 'isKiosk' | 'link'>> = {},
  ) => admission.enter({ sessionId, address, isKiosk: false, link: null, ...change });
  const enter = (...entrant: Parameters<typeof tryEnter>): Place => {
    const place = tryEnter(...entrant);
    if ('retryInMs' in place) throw new Error(`Wait for ${place.retryInMs} ms.`);
    return place;
  };
  const end = (how: CaptureEnd, times = 1) => {
    for (let n = 0; n < times; n += 1) enter('s1').leave(how);
  };
  return { admission, clock, tryEnter, enter, end };
}

test('captures are limited per address, and for the process as a whole', () => {
  const { admission, tryEnter, enter } = opened({ captures: 3, perAddress: 2 });
  const first = enter('s1');
  enter('s2');
  expect(tryEnter('s3', '192.0.2.1')).toEqual({ retryInMs: 5_000 });
  enter('s3', '192.0.2.2');
  expect(tryEnter('s4', '192.0.2.3')).toEqual({ retryInMs: 5_000 });
  first.leave('verdict');
  enter('s4', '192.0.2.3');
  expect(admission.stats()).toEqual({ captures: 3, heldBytes: 0 });
});

test('the bytes of all captures are limited, and one address gets only a share of them', () => {
  const { admission, tryEnter, enter } = opened({ heldBytes: 2e6, addressShare: 0.5 });
  const [here, elsewhere, third] = [enter('s1'), enter('s2', '192.0.2.2'), enter('s3', '192.0.2.3')];
  expect([here.hold(6e5), here.hold(5e5), elsewhere.hold(9e5), third.hold(6e5)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(tryEnter('s4', '192.0.2.4')).toEqual({ retryInMs: 5_000 });
  here.free(6e5);
  expect([third.hold(6e5), admission.stats().heldBytes]).toEqual([true, 1.5e6]);
});

test('after eight abandoned captures a session has to wait, and each minute allows one more', () => {
  const { tryEnter, clock, end } = opened();
  end('given_up', 8);
  expect(tryEnter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
  clock.advance(60_000);
  end('given_up');
  expect(tryEnter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
});

test('only a verdict resets the count of abandoned captures', () => {
  const { tryEnter, clock, end } = opened();
  end('given_up', 7);
  end('unseen');
  end('given_up');
  expect(tryEnter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
  clock.advance(60_000);
  end('verdict');
  end('given_up', 7);
  expect(tryEnter('s1', '192.0.2.1')).toHaveProperty('hold');
});

/** Each capture is left after a step, in a session of its own. */
function leaveMany(enter: (sessionId: string) => Place, times: number) {
  for (let n = 0; n < times; n += 1) enter(`left ${n}`).leave('given_up');
}

describe('captures that were left after a step', () => {
  const AT = '198.51.100.7';

  test('count at one address, whatever the session: the next begins 15 s late and does one more step', () => {
    const { tryEnter, enter, clock } = opened();
    leaveMany((id) => enter(id, AT), 23);
    expect(enter('s1', AT).isSuspect).toBe(false);
    leaveMany((id) => enter(id, AT), 1);
    expect(tryEnter('s2', AT)).toEqual({ retryInMs: 15_000 });
    expect(tryEnter('s3', '192.0.2.9')).toMatchObject({ isSuspect: false });
    clock.advance(15_000);
    expect(enter('s2', AT).isSuspect).toBe(true);
  });

  test('count at one IPv6 network', () => {
    const { tryEnter, enter } = opened();
    let host = 0;
    leaveMany((id) => enter(id, `2001:db8:1:2::${(host += 1)}`), 24);
    expect(tryEnter('s1', '2001:db8:1:2:ffff::1')).toEqual({ retryInMs: 15_000 });
    expect(tryEnter('s1', '2001:db8:1:3::1')).toHaveProperty('hold');
  });

  test('count on one link, whatever the address', () => {
    const { tryEnter, enter } = opened();
    const link = { kind: 'verification', id: 'v1' } as const;
    let host = 0;
    leaveMany((id) => enter(id, `192.0.2.${(host += 1)}`, { link }), 24);
    expect(tryEnter('s1', AT, { link })).toEqual({ retryInMs: 15_000 });
    expect(tryEnter('s1', AT, { link: { ...link, id: 'v2' } })).toHaveProperty('hold');
  });

  test('count on one invite as in one session', () => {
    const { tryEnter, enter } = opened();
    const link = { kind: 'invite', id: 'i1' } as const;
    leaveMany((id) => enter(id, AT, { link }), 8);
    expect(tryEnter('s1', '192.0.2.9', { link })).toEqual({ retryInMs: 60_000 });
  });

  test('never count by address at a paired kiosk', () => {
    const { enter } = opened();
    leaveMany((id) => enter(id, AT, { isKiosk: true }), 200);
    expect(enter('s1', AT).isSuspect).toBe(false);
  });

  test('lock nobody out: whatever the others at the address do, a guest waits 15 s in all', () => {
    const { tryEnter, enter, clock } = opened();
    leaveMany((id) => enter(id, AT), 24);
    const others = Array.from({ length: 5 }, (_, nth) => `other ${nth}`);
    for (const other of others) tryEnter(other, AT);
    expect(tryEnter('guest', AT)).toEqual({ retryInMs: 15_000 });
    for (const other of others) {
      clock.advance(3_000);
      const place = tryEnter(other, AT);
      if ('leave' in place) place.leave('given_up');
    }
    expect(tryEnter('guest', AT)).toHaveProperty('hold');
  });

  test('don’t add up at a venue whose guests finish: each verdict takes one off', () => {
    const { enter } = opened();
    for (let guest = 0; guest < 600; guest += 1) {
      const place = enter(`guest ${guest}`, AT);
      expect(place.isSuspect).toBe(false);
      place.leave(guest % 3 === 0 ? 'given_up' : 'verdict');
    }
  });

  test('are not made up for by checks that fail between them', () => {
    const { enter } = opened();
    for (let n = 0; n < 24; n += 1) {
      enter(`failed ${n}`, AT).leave('failed');
      enter(`left ${n}`, AT).leave('given_up');
    }
    expect(() => enter('s1', AT)).toThrow('Wait for 15000 ms.');
  });

  test('are forgotten after an hour', () => {
    const { enter, clock } = opened();
    leaveMany((id) => enter(id, AT), 24);
    clock.advance(3_600_000);
    expect(enter('s1', AT).isSuspect).toBe(false);
  });
});
