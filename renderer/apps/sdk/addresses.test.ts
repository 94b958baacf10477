import { expect, test } from 'vitest';
import { baseOfScript, hostedLink, normaliseBase, takeResult, resultOf } from './addresses.ts';
import { labelsFor } from './labels.ts';

test.each([
  ['https://verify.example/sdk/gatehouse.js', 'https://verify.example'],
  ['https://verify.example/sdk/gatehouse.iife.js?v=2', 'https://verify.example'],
  ['http://localhost:4180/sdk/gatehouse.js', 'http://localhost:4180'],
  ['https://example.org/check/sdk/gatehouse.js', 'https://example.org/check'],
  ['https://shop.example/assets/app-1234.js', null],
  ['file:///sdk/gatehouse.js', null],
  ['', null],
  [null, null],
])('a script from %s belongs to %s', (script, base) => {
  expect(baseOfScript(script)).toBe(base);
});

test.each([
  ['https://verify.example/', 'https://verify.example'],
  ['https://verify.example/check//', 'https://verify.example/check'],
  ['https://verify.example?x=1#y', 'https://verify.example'],
  ['verify.example', null],
  ['javascript:alert(1)', null],
])('the base URL %s is used as %s', (text, base) => {
  expect(normaliseBase(text)).toBe(base);
});

test.each([
  ['https://a.example/p?vyt=t&vyc=1', resultOf('t', '1'), 'https://a.example/p'],
  ['https://a.example/p?q=a%20b+c&vyt=t%2E&vyc=0#h', resultOf('t.', '0'), 'https://a.example/p?q=a%20b+c#h'],
  ['https://a.example/p?vyt=t', resultOf('t', '0'), 'https://a.example/p'],
  ['https://a.example/p?vyt=t&vyc=yes', resultOf('t', '0'), 'https://a.example/p'],
  ['https://a.example/p?vyc=1&x', null, 'https://a.example/p?vyc=1&x'],
  ['https://a.example/p?vyt=', null, 'https://a.example/p?vyt='],
  ['https://a.example/p?vyc=0', resultOf(null, '0'), 'https://a.example/p'],
  ['https://a.example/p?x&vyt=&vyc=0#h', resultOf(null, '0'), 'https://a.example/p?x#h'],
  ['https://a.example/p', null, 'https://a.example/p'],
])('%s yields %j', (address, result, left) => {
  expect(takeResult(address)).toEqual({ result, address: left });
});

test('a hosted link names the session, and in a frame the only origin that gets messages', () => {
  expect(hostedLink('https://v.example', { session: 'vs_1' })).toBe(
    'https://v.example/verification?vys=vs_1',
  );
  const link = new URL(
    hostedLink('https://v.example', {
      session: 'vs&1',
      phone: '+15550100',
      email: '',
      embed: { origin: 'https://shop.example', display: 'drawer' },
    }),
  );
  expect(Object.fromEntries(link.searchParams)).toEqual({
    vys: 'vs&1',
    vy_embed: '1',
    vy_origin: 'https://shop.example',
    vy_display: 'drawer',
    vy_resume: '1',
    vy_phone: '+15550100',
  });
});

test('the text around the frame is in the language that the page inside will choose', () => {
  expect(labelsFor(['pt', 'de-AT', 'en']).close).toBe('Schließen');
  expect(labelsFor(['ja']).close).toBe('Close');
});
