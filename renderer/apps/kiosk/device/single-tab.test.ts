/** Tabs outside a secure context, where a browser has no locks. Those with locks are in `e2e/kiosk/kiosk.spec.ts`. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { claimTab } from './single-tab.ts';

/** Which tabs are the kiosk. */
let kiosks: Set<string>;
let channels: BroadcastChannel[];

beforeEach(() => {
  kiosks = new Set();
  channels = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
  onTestFinished(() => {
    for (const channel of channels) channel.close();
    vi.useRealTimers();
  });
});

function openTab(name: string): { take: () => void; close: () => void } {
  let leave: () => void = () => undefined;
  const place = channels.length;
  const take = claimTab(undefined, {
    onHeld: () => kiosks.add(name),
    onElsewhere: () => kiosks.delete(name),
    onClose(given) {
      leave = given;
    },
  });
  return {
    take,
    close() {
      kiosks.delete(name);
      leave();
      channels[place]?.close();
    },
  };
}

/** As a crash ends it. */
function crash(name: string, place: number): void {
  kiosks.delete(name);
  channels[place]?.close();
}

/** Until every message has arrived. */
async function delivered(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await setImmediate();
}

async function aSecondPasses(): Promise<void> {
  await delivered();
  vi.advanceTimersByTime(1_000);
  await delivered();
}

test('a tab alone is the kiosk', async () => {
  openTab('first');
  await aSecondPasses();
  expect([...kiosks]).toEqual(['first']);
});

test('the first of two tabs is the kiosk, and the other one once the first closes', async () => {
  const { close } = openTab('first');
  await aSecondPasses();
  openTab('second');
  await aSecondPasses();
  expect([...kiosks]).toEqual(['first']);
  close();
  await aSecondPasses();
  expect([...kiosks]).toEqual(['second']);
});

test('one of three tabs that a browser opens again at once is the kiosk, and only one after it closes', async () => {
  const tabs = new Map(['a', 'b', 'c'].map((name) => [name, openTab(name)]));
  await aSecondPasses();
  expect(kiosks.size).toBe(1);
  for (const name of kiosks) tabs.get(name)?.close();
  await aSecondPasses();
  expect(kiosks.size).toBe(1);
});

test('a tab that staff choose takes over, and can lose the kiosk again', async () => {
  const first = openTab('first');
  await aSecondPasses();
  const second = openTab('second');
  await aSecondPasses();
  second.take();
  await delivered();
  expect([...kiosks]).toEqual(['second']);
  first.take();
  await delivered();
  expect([...kiosks]).toEqual(['first']);
});

test('a tab that crashed is replaced after it has not answered three times', async () => {
  openTab('first');
  await aSecondPasses();
  openTab('second');
  await aSecondPasses();
  for (let seconds = 0; seconds < 30; seconds += 1) await aSecondPasses();
  expect([...kiosks]).toEqual(['first']);
  crash('first', 0);
  for (let seconds = 0; seconds < 13; seconds += 1) await aSecondPasses();
  expect([...kiosks]).toEqual(['second']);
});
