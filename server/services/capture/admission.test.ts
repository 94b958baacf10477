/** Which captures a process accepts, and how many bytes they may hold. */
import { expect, test } from 'vitest';
import { testClock } from '../../../testing/service/temp-service.ts';
import {
  ADMISSION_LIMITS,
  createAdmission,
  type AdmissionLimits,
  type CaptureEnd,
  type Place,
} from './admission.ts';

function opened(limits: Partial<AdmissionLimits> = {}) {
  const clock = testClock();
  const admission = createAdmission({ ...ADMISSION_LIMITS, ...limits }, clock);
  const enter = (sessionId = 's1', address = '192.0.2.1'): Place => {
    const place = admission.enter(sessionId, address);
    if ('retryInMs' in place) throw new Error(`Wait for ${place.retryInMs} ms.`);
    return place;
  };
  const end = (how: CaptureEnd, times = 1) => {
    for (let n = 0; n < times; n += 1) enter().leave(how);
  };
  return { admission, clock, enter, end };
}

test('captures are limited per address, and for the process as a whole', () => {
  const { admission, enter } = opened({ captures: 3, perAddress: 2 });
  const first = enter('s1');
  enter('s2');
  expect(admission.enter('s3', '192.0.2.1')).toEqual({ retryInMs: 5_000 });
  enter('s3', '192.0.2.2');
  expect(admission.enter('s4', '192.0.2.3')).toEqual({ retryInMs: 5_000 });
  first.leave('verdict');
  enter('s4', '192.0.2.3');
  expect(admission.stats()).toEqual({ captures: 3, heldBytes: 0 });
});

test('the bytes of all captures are limited, and one address gets only a share of them', () => {
  const { admission, enter } = opened({ heldBytes: 2e6, addressShare: 0.5 });
  const [here, elsewhere, third] = [enter(), enter('s2', '192.0.2.2'), enter('s3', '192.0.2.3')];
  expect([here.hold(6e5), here.hold(5e5), elsewhere.hold(9e5), third.hold(6e5)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(admission.enter('s4', '192.0.2.4')).toEqual({ retryInMs: 5_000 });
  here.free(6e5);
  expect([third.hold(6e5), admission.stats().heldBytes]).toEqual([true, 1.5e6]);
});

test('after eight abandoned captures a session has to wait, and each minute allows one more', () => {
  const { admission, clock, end } = opened();
  end('given_up', 8);
  expect(admission.enter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
  clock.advance(60_000);
  end('given_up');
  expect(admission.enter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
});

test('only a verdict resets the count of abandoned captures', () => {
  const { admission, clock, end } = opened();
  end('given_up', 7);
  end('unseen');
  end('given_up');
  expect(admission.enter('s1', '192.0.2.1')).toEqual({ retryInMs: 60_000 });
  clock.advance(60_000);
  end('verdict');
  end('given_up', 7);
  expect(admission.enter('s1', '192.0.2.1')).toHaveProperty('hold');
});
