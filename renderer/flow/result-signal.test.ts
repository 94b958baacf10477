import { afterEach, expect, test, vi } from 'vitest';
import { RESULT_SIGNALS, signalResult } from './result-signal.ts';

const tones: number[] = [];
vi.mock('../ui/tones.ts', async () => ({
  ...(await vi.importActual<object>('../ui/tones.ts')),
  playTones: (frequenciesHz: readonly number[]) => void tones.push(...frequenciesHz),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  tones.length = 0;
});

function handheld() {
  const vibrate = vi.fn(() => true);
  vi.stubGlobal('navigator', { vibrate });
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  return vibrate;
}

test('admitted, waiting and refused sound and feel different, and the calm view gives one short vibration', () => {
  const { passed, pending, denied } = RESULT_SIGNALS;
  for (const part of ['tonesHz', 'vibrationMs'] as const)
    expect(new Set([passed, pending, denied].map((signal) => signal[part].join())).size).toBe(3);
  const vibrate = handheld();
  signalResult('denied', false);
  expect(tones).toEqual(denied.tonesHz);
  expect(vibrate).toHaveBeenLastCalledWith([...denied.vibrationMs]);
  tones.length = 0;
  signalResult('denied', true);
  expect(tones).toEqual([]);
  expect(vibrate).toHaveBeenLastCalledWith([40]);
});
