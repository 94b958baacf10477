/** What a guest learns about earlier passes of the same face. */
import { expect, onTestFinished, test } from 'vitest';
import { honestCapture } from '../../../../testing/service/captures.ts';
import { NO_SKIP, startRun } from '../../../../testing/service/runs.ts';
import { openTestService } from '../../../../testing/service/temp-service.ts';
import { settleCapture } from '../../capture/capture.ts';
import { decline } from '../flow.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
const DENY = { config: { ...NO_SKIP.config, collision: { action: 'deny' } } };

async function openVenue() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  /** The result of one check of the same face. */
  const check = async (isTrusted: boolean, change: { passed?: boolean } = {}) => {
    const session = await startRun(service, DENY);
    const { nonce, judge } = await honestCapture(service.deps, session, FACE);
    const { result } = await settleCapture(service.deps, session, nonce, async () => {
      const judged = await judge();
      return { ...judged, isTrusted, verdict: { ...judged.verdict, ...change } };
    });
    return result;
  };
  return { service, check };
}

test('a capture that a kiosk signed says that its face has passed before', async () => {
  const { check } = await openVenue();
  expect(await check(true)).toMatchObject({ verified: true });
  expect(await check(true)).toMatchObject({ presented: 'denied', passed_before: true });
});

test('an unsigned capture never tells whether its face has passed before', async () => {
  const { check } = await openVenue();
  expect(await check(false)).not.toHaveProperty('passed_before');
  expect(await check(false)).toMatchObject({ presented: 'denied' });
  expect(await check(false)).not.toHaveProperty('passed_before');
});

test('what is left out is the same for a face that is unknown', async () => {
  const { service } = await openVenue();
  const { result } = await decline(service.deps, await startRun(service, DENY));
  expect(result).toMatchObject({ presented: 'declined' });
  expect(result).not.toHaveProperty('passed_before');
});
