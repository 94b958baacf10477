import { expect, test } from 'vitest';
import type { PackageManager } from './browser.ts';
import { ensureDisplay } from './test-desktop.ts';

const MISSING = 'Xvfb is not installed';

/** A machine without a screen. `works` sets the number of the first `apt install` that succeeds, counted from 1. */
function machine(mayInstall: boolean, works: number) {
  const calls: string[] = [];
  let installs = 0;
  const manager: PackageManager = {
    mayInstall,
    apt: (...args) => {
      calls.push(args.join(' '));
      if (args[0] === 'install') installs += 1;
      return args[0] !== 'install' || installs >= works;
    },
  };
  const told: string[] = [];
  const whyNot = () => (installs >= works ? null : MISSING);
  return { calls, told, run: () => ensureDisplay((line) => told.push(line), manager, whyNot) };
}

const INSTALL = 'install -y --no-install-recommends xvfb openbox';

test('root on Debian gets a screen and a window manager installed, and the tests run', () => {
  const { calls, told, run } = machine(true, 1);
  expect(run()).toEqual({ leftOut: null, trouble: null });
  expect(calls).toEqual([INSTALL]);
  expect(told).toEqual([expect.stringContaining('Installing Xvfb and openbox')]);
});

test('the package lists of a new machine are fetched first if needed', () => {
  const { calls, run } = machine(true, 2);
  expect(run()).toEqual({ leftOut: null, trouble: null });
  expect(calls).toEqual([INSTALL, 'update', INSTALL]);
});

test('if it cannot be installed, the run says so and fails', () => {
  expect(machine(true, Infinity).run().trouble).toContain('could not be installed');
});

test('everyone else learns which tests are left out, why, and how to run them', () => {
  const { calls, run } = machine(false, 1);
  const { leftOut, trouble } = run();
  expect(calls).toEqual([]);
  expect(trouble).toBeNull();
  for (const part of ['e2e/electron', MISSING, 'apt-get install xvfb openbox'])
    expect(leftOut).toContain(part);
});
