import { describe, expect, test, vi } from 'vitest';
import { readEmbedMessage } from '../../embed/protocol.ts';
import { readEmbed } from './embed.ts';
import { announce } from './embedded.ts';
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

const SHOP = 'https://shop.example';
const KEY = '0123456789abcdef0123456789abcdef';

/** @param allowed the origin that the server wrote into the document */
function framed(query: string, allowed: string | null = SHOP) {
  const postMessage = vi.fn();
  const target = new EventTarget();
  const page = Object.assign(target, { parent: { postMessage } }) as unknown as Window;
  const hear = (event: { data: unknown; origin: string; source?: unknown }) =>
    target.dispatchEvent(Object.assign(new Event('message'), { source: page.parent, ...event }));
  return { postMessage, page, hear, embed: readEmbed(`${PAGE}&${query}`, page, allowed) };
}

describe('an embedded page', () => {
  test('posts only to the origin that the server allowed', () => {
    const { embed, postMessage } = framed('vy_embed=1&vy_origin=https://evil.example&vy_display=drawer');
    expect(embed?.display).toBe('drawer');
    embed?.post({ type: 'vy:close' });
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'vy:close' }, 'https://shop.example');
  });

  test('is silent if the server allowed no origin, whatever the link says', () => {
    const { embed, postMessage } = framed('vy_embed=1&vy_origin=https://shop.example', null);
    embed?.post({ type: 'vy:close' });
    expect(embed).not.toBeNull();
    expect(postMessage).not.toHaveBeenCalled();
  });

  test('accepts a resume key only from its parent page, and from its allowed origin', async () => {
    const { embed, page, hear, postMessage } = framed('vy_embed=1&vy_resume=1');
    const key = announce(embed!, page);
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'vy:ready' }, SHOP);
    const wrong = 'f'.repeat(32);
    hear({ data: { type: 'vy:resume', key: wrong }, origin: 'https://evil.example' });
    hear({ data: { type: 'vy:resume', key: wrong }, origin: SHOP, source: {} });
    hear({ data: { type: 'vy:resume', key: 'short' }, origin: SHOP });
    hear({ data: { type: 'vy:resume', key: KEY }, origin: SHOP });
    await expect(key).resolves.toBe(KEY);
  });

  test('a test may be embedded by a page whose origin has no name, and hears it', async () => {
    const { embed, page, hear, postMessage } = framed('vy_embed=1&vy_resume=1', '*');
    const key = announce(embed!, page);
    expect(postMessage).toHaveBeenCalledExactlyOnceWith({ type: 'vy:ready' }, '*');
    hear({ data: { type: 'vy:resume', key: 'f'.repeat(32) }, origin: 'null', source: {} });
    hear({ data: { type: 'vy:resume', key: KEY }, origin: 'null' });
    await expect(key).resolves.toBe(KEY);
  });

  test('waits for no key if none was announced', () => {
    const { embed, page } = framed('vy_embed=1');
    return expect(announce(embed!, page)).resolves.toBeNull();
  });

  test('that is not in a frame, or was not asked to be, is an ordinary page', () => {
    const top = {} as { parent: unknown };
    top.parent = top;
    expect(readEmbed(`${PAGE}&vy_embed=1&vy_origin=https://shop.example`, top as Window, SHOP)).toBeNull();
    expect(framed('vy_origin=https://shop.example').embed).toBeNull();
  });
});

describe('the end of a run', () => {
  test('in an embedded page is reported once, and never navigates', () => {
    const post = vi.fn();
    const navigate = vi.fn();
    const exit = createExit({ post }, navigate);
    exit.complete(RESULT);
    exit.complete(RESULT);
    exit.leave(RESULT);
    expect(post.mock.calls).toEqual([
      [{ type: 'vy:complete', vyt: 't', vyc: '1', redirect_url: null }],
      [{ type: 'vy:close' }],
    ]);
    expect(navigate).not.toHaveBeenCalled();
  });

  test('passes on only the address that the run itself was created with', () => {
    const post = vi.fn();
    const requested = 'https://shop.example/asked?vyt=t&vyc=1';
    createExit({ post }, vi.fn()).complete({ ...RESULT, requested_url: requested });
    expect(post).toHaveBeenCalledWith(expect.objectContaining({ redirect_url: requested }));
  });

  test('in an ordinary page goes back, if there is an address', () => {
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
    { type: 'vy:complete', vyt: 't', vyc: '1', redirect_url: 7, more: 1 },
    { type: 'vy:complete', vyt: 't', vyc: '1', redirect_url: null },
  ],
  [{ type: 'vy:complete', vyt: '', vyc: '1' }, null],
  [{ type: 'vy:complete', vyt: 't', vyc: 1 }, null],
  [{ type: 'vy:complete', vyt: 't', vyc: '2' }, null],
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
])('the message %j is parsed as %j', (data, message) => {
  expect(readEmbedMessage(data)).toEqual(message);
});
