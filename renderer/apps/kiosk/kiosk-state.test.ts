import { expect, test } from 'vitest';
import { messagesOf } from '../../../locales/node.ts';
import type { KioskTrouble } from '../../i18n/messages.ts';
import type { FlowState } from '../../flow/flow.ts';
import { testKiosk } from './kiosk.fixture.ts';
import { type KioskState, reportedScreen, screenNameOf, troubleOf, wantsWarmCamera } from './kiosk-state.ts';

async function inVisit(cameraTrouble: 'lost' | 'denied' | 'absent' | 'not_loaded' | null = null) {
  const { kiosk, ready, visit } = testKiosk();
  await ready();
  return {
    ...kiosk.state(),
    stage: { kind: 'visit', visit, cameraTrouble, asksStaff: false, admission: null },
  } satisfies KioskState;
}
const flow = (change: Partial<FlowState>) => ({ waiting: null, screen: 'consent', ...change }) as FlowState;

test.each([
  ['consent', 'consent'],
  ['phone', 'phone'],
  ['testChoice', 'test'],
  ['capture', 'capture'],
  ['checking', 'checking'],
  ['retry', 'retry'],
  ['result', 'result'],
  ['dead', 'dead'],
  ['loading', 'opening'],
] as const)('the flow’s %s is shown as %s', async (screen, name) => {
  expect(screenNameOf(await inVisit(), flow({ screen }))).toBe(name);
});

test.each([
  ['lost', 'trouble-camera_lost'],
  ['denied', 'trouble-camera_refused'],
  ['absent', 'trouble-camera_missing'],
  ['not_loaded', 'trouble-not_loaded'],
] as const)('a camera that is %s has its own screen', async (trouble, name) => {
  const state = await inVisit(trouble);
  expect(screenNameOf(state, flow({ screen: 'capture' }))).toBe(name);
  // It matters only if the camera is needed.
  expect(screenNameOf(state, flow({ screen: 'result' }))).toBe('result');
});

test('while a call is retried, the reason replaces its description', async () => {
  expect(screenNameOf(await inVisit(), flow({ screen: 'checking', waiting: 'offline' }))).toBe(
    'trouble-offline',
  );
  expect(screenNameOf(await inVisit(), flow({ waiting: 'maintenance' }))).toBe('trouble-maintenance');
  expect(screenNameOf(await inVisit(), flow({ waiting: 'busy' }))).toBe('consent');
});

test('every trouble has a screen name that maps back to it, and is reported as trouble', () => {
  for (const trouble of Object.keys(messagesOf('kiosk', 'en').trouble) as KioskTrouble[]) {
    expect(troubleOf(`trouble-${trouble}`)).toBe(trouble);
    expect(reportedScreen(`trouble-${trouble}`)).toBe('trouble');
  }
});

test('the camera is warm before a live check, if it may be used without a prompt', async () => {
  const state: KioskState = { ...(await inVisit()), camera: 'ready' };
  expect(wantsWarmCamera(state, 'attract')).toBe(true);
  expect(wantsWarmCamera(state, 'consent')).toBe(true);
  for (const screen of ['staff', 'scan', 'result', 'trouble-offline'] as const) {
    expect(wantsWarmCamera(state, screen)).toBe(false);
  }
  expect(wantsWarmCamera({ ...state, camera: 'unknown' }, 'attract')).toBe(false);
  const { config } = state;
  const trial = config?.event ? { ...config, event: { ...config.event, is_test: true } } : null;
  expect(wantsWarmCamera({ ...state, config: trial }, 'attract')).toBe(false);
});
