import { expect, it } from 'vitest';
import { chooseRuntime } from './runtime.ts';

const NODE = '/usr/bin/node';

it.each([
  ['24.11.1', '10'],
  ['22.18.0', '10'],
])('the server runs inside Electron on Node %s with Node-API %s', (node, napi) => {
  expect(chooseRuntime({ node, napi }, NODE)).toEqual({ kind: 'utility' });
});

it.each([
  ['20.18.3', '9'],
  ['22.17.1', '10'],
  ['22.18.0', '9'],
])('the server runs in a separate Node.js if Electron has Node %s with Node-API %s', (node, napi) => {
  expect(chooseRuntime({ node, napi }, NODE)).toEqual({ kind: 'node', execPath: NODE });
});

it('an old Electron without a separate Node.js cannot run the server', () => {
  expect(chooseRuntime({ node: '20.18.3', napi: '9' }, undefined)).toEqual({ kind: 'none' });
});
