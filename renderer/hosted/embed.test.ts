import { describe, expect, test, vi } from 'vitest';
import { readEmbedMessage } from '../embed/protocol.ts';
import { embedOrigin } from './embed-origin.ts';
import { readEmbed } from './embed.ts';
import { createExit } from './exit.ts';

const PAGE = 'https://check.example/verification?vys=vs_1';
const RESULT = {
  verified: true,
  presented: 'approved',
  return_url: 'https://shop.example/saved?vyt=t&vyc=1',
  requested_url: null,
  vyt: 't',
  vyc: 1,
} as const;

function framed(query: string) {
  const postMessage = vi.fn();
  const page = { parent: { postMessage } } as unknown as Window;
  return { postMessage, embed: readEmbed(`${PAGE}&${query}`, page) };
}

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://app.localhost', 'http://app.localhost'],
  ['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
  ['http://192.168.1.20', 'http://192.168.1.20'],
  ['http://172.16.0.1', 'http://172.16.0.1'],
  ['http://[::1]:80', null],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://[fd00::1]', 'http://[fd00::1]'],
  ['http://172.32.0.1', null],
  ['http://shop.example', null],
  ['http://10.evil.example', null],
  ['https://shop.example/', null],
  ['https://shop.example/path', null],
  ['https://user@shop.example', null],
  ['*', null],
  ['null', null],
  ['javascript:alert(1)', null],
  ['file://', null],
  ['', null],
  [null, null],
])('of the origin %s may be told: %s', (text, origin) => {
  expect(embedOrigin(text)).toBe(origin);
});

describe('an embedded page', () => {
  test('posts to the one origin that its link names', () => {
    const { embed, postMessage } = framed('vy_embed=1&vy_origin=https://shop.example&vy_display=drawer');
    expect(embed?.display).toBe('drawer');
    embed?.post({ type: 'vy:close' });
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'vy:close' }, 'https://shop.example');
  });

  test.each(['', 'vy_origin=*', 'vy_origin=http://shop.example'])('is silent with "%s"', (query) => {
    const { embed, postMessage } = framed(`vy_embed=1&${query}`);
    embed?.post({ type: 'vy:close' });
    expect(embed).not.toBeNull();
    expect(postMessage).not.toHaveBeenCalled();
  });

  test('that is not in a frame, or was not asked to be, stands on its own', () => {
    const top = {} as { parent: unknown };
    top.parent = top;
    expect(readEmbed(`${PAGE}&vy_embed=1&vy_origin=https://shop.example`, top as Window)).toBeNull();
    expect(framed('vy_origin=https://shop.example').embed).toBeNull();
  });
});

describe('the end of a run', () => {
  test('in an embedded page is told once, and never navigates', () => {
    const post = vi.fn();
    const navigate = vi.fn();
    const exit = createExit({ display: 'inline', post }, navigate);
    exit.complete(RESULT);
    exit.complete(RESULT);
    exit.leave(RESULT);
    expect(post.mock.calls).toEqual([
      [{ type: 'vy:complete', vyt: 't', vyc: 1, redirect_url: null }],
      [{ type: 'vy:close' }],
    ]);
    expect(navigate).not.toHaveBeenCalled();
  });

  test('hands on the address that the run itself was made with, and no other', () => {
    const post = vi.fn();
    const requested = 'https://shop.example/asked?vyt=t&vyc=1';
    createExit({ display: 'inline', post }, vi.fn()).complete({ ...RESULT, requested_url: requested });
    expect(post).toHaveBeenCalledWith(expect.objectContaining({ redirect_url: requested }));
  });

  test('on a page of its own goes back, where there is a way back', () => {
    const navigate = vi.fn();
    const exit = createExit(null, navigate);
    exit.complete(RESULT);
    exit.leave(RESULT);
    expect(navigate).toHaveBeenCalledExactlyOnceWith(RESULT.return_url);
    expect(exit.canLeave({ ...RESULT, return_url: null })).toBe(false);
  });
});

test.each([
  [{ type: 'vy:close' }, { type: 'vy:close' }],
  [
    { type: 'vy:resize', height: 700 },
    { type: 'vy:resize', height: 700 },
  ],
  [
    { type: 'vy:complete', vyt: 't', vyc: 1, redirect_url: 7, more: 1 },
    { type: 'vy:complete', vyt: 't', vyc: 1, redirect_url: null },
  ],
  [{ type: 'vy:complete', vyt: '', vyc: 1 }, null],
  [{ type: 'vy:complete', vyt: 't', vyc: 2 }, null],
  [
    { type: 'vy:language', language: 'de' },
    { type: 'vy:language', language: 'de' },
  ],
  [{ type: 'vy:language', language: '' }, null],
  [{ type: 'vy:resize', height: Infinity }, null],
  [{ type: 'vy:resize', height: '1' }, null],
  [{ type: 'other' }, null],
  ['vy:close', null],
  [null, null],
])('the message %j is read as %j', (data, message) => {
  expect(readEmbedMessage(data)).toEqual(message);
});
