import { expect, onTestFinished, test, vi } from 'vitest';
import { keepScreenOn } from './screen-on.ts';

test('the screen stays on, also after the page was hidden, until it may turn off', async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const locks: { isHeld: boolean }[] = [];
  const request = async () => {
    const lock = { isHeld: true, release: async () => void (lock.isHeld = false) };
    locks.push(lock);
    return lock;
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { wakeLock: { request } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const held = () => locks.filter(({ isHeld }) => isHeld).length;
  const letGo = keepScreenOn();
  await expect.poll(held).toBe(1);
  // The browser ends the lock of a hidden page.
  page.hidden = true;
  for (const lock of locks) lock.isHeld = false;
  page.dispatchEvent(new Event('visibilitychange'));
  page.hidden = false;
  page.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(held).toBe(1);
  letGo();
  await expect.poll(held).toBe(0);
  page.dispatchEvent(new Event('visibilitychange'));
  expect(locks.length).toBe(2);
});
