import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingApis } from './browser-support.ts';

test('an API that a supported browser lacks is found as a static or inherited member, a function and a constructor', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-floor-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines = [
    "export const parsed = URL.parse('https://example.com');",
    'export const groups = Object.groupBy([1], (one) => String(one));',
    "export const held = navigator.wakeLock.request('screen');",
    'requestIdleCallback(() => undefined);',
    'export const said = new SpeechSynthesisUtterance();',
    "export const known = [new URL('https://example.com').host, fetch('/'), [1].at(0)];",
    'const own = { parse: (text: string) => text };',
    "export const mine = own.parse('');",
  ];
  writeFileSync(path.join(folder, 'page.ts'), lines.join('\n'));
  const tsconfig = path.join(folder, 'tsconfig.json');
  const compilerOptions = { lib: ['ESNext', 'DOM'], types: [], module: 'ESNext', strict: true };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, include: ['.'] }));
  const found = missingApis(tsconfig, (file) => file.endsWith('/page.ts'));
  expect(found.map(({ at, api, browser }) => `${path.basename(at)} ${api} ${browser}`)).toEqual([
    'page.ts:1 URL.parse chrome 110',
    'page.ts:2 Object.groupBy chrome 110',
    'page.ts:3 WakeLock.request firefox 115',
    'page.ts:3 Navigator.wakeLock firefox 115',
    'page.ts:4 requestIdleCallback safari 16.4',
    'page.ts:5 SpeechSynthesisUtterance webview_android 110',
  ]);
});
