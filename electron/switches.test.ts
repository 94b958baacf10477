import { expect, test } from 'vitest';
import { ownEnvironment, refusedSwitch } from './switches.ts';

const asked = (argv: readonly string[], change: { isPackaged?: boolean } = {}) =>
  refusedSwitch({ isPackaged: true, hasSwitch: () => false, argv, ...change });

test.each([
  ['--remote-debugging-port=0', 'remote-debugging-port'],
  ['--remote-debugging-pipe', 'remote-debugging-pipe'],
  ['-remote-debugging-port=9222', 'remote-debugging-port'],
  ['/Remote-Debugging-Port=9222', 'remote-debugging-port'],
  ['--remote_debugging_port=9222', 'remote-debugging-port'],
  ['--inspect', 'inspect'],
  ['--inspect-brk=127.0.0.1:9229', 'inspect-brk'],
  ['--js-flags=--expose-gc', 'js-flags'],
  ['--use-file-for-fake-video-capture=face.mjpeg', 'use-file-for-fake-video-capture'],
  ['--ignore-certificate-errors', 'ignore-certificate-errors'],
])('an installed app refuses %s', (word, name) => {
  expect(asked(['gatehouse', '--kiosk', word])).toBe(name);
});

test('also one that Chromium alone still knows', () => {
  const hasSwitch = (name: string) => name === 'remote-debugging-pipe';
  expect(refusedSwitch({ isPackaged: true, hasSwitch, argv: [] })).toBe('remote-debugging-pipe');
});

test('it takes its own switches, and those that only change the picture on the screen', () => {
  const argv = ['gatehouse', '--kiosk', '--kiosk-display=2', '--disable-gpu', '--no-sandbox', '--lang=de'];
  expect(asked(argv)).toBeNull();
});

test('a checkout takes everything', () => {
  expect(asked(['electron', '.', '--remote-debugging-port=0'], { isPackaged: false })).toBeNull();
});

test('the server of an installed app gets no variables that would run foreign code in it', () => {
  const env = {
    NODE_OPTIONS: '--require ./evil.js',
    NODE_PATH: '/tmp',
    ELECTRON_RUN_AS_NODE: '1',
    node_options: '--inspect',
    GATEHOUSE_PORT: '4180',
    HTTPS_PROXY: 'http://proxy',
  };
  expect(ownEnvironment(env, true)).toEqual({ GATEHOUSE_PORT: '4180', HTTPS_PROXY: 'http://proxy' });
  expect(ownEnvironment(env, false)).toEqual(env);
});
