/** Contract, initialize rules 1 and 2: the return address and its parameters. */
import { describe, expect, it } from 'vitest';
import { type ReturnSources, returnTarget, withResult } from './return-url.ts';

const NOTHING = { redirectUrl: null, origin: null, returnPath: null };

function target(
  request: Partial<ReturnSources['request']>,
  verification: Partial<ReturnSources['verification']> = {},
): string | null {
  return returnTarget({ request: { ...NOTHING, ...request }, verification: { ...NOTHING, ...verification } });
}

describe('rule 2: precedence of the return target', () => {
  const request = { redirectUrl: 'https://req.example/r', origin: 'origin.example', returnPath: '/p' };
  const saved = { redirectUrl: 'https://saved.example/s' };

  it('first the redirect_url of the request', () => {
    expect(target(request, saved)).toBe('https://req.example/r');
  });

  it('then the redirect URL saved on the verification', () => {
    expect(target({ ...request, redirectUrl: null }, saved)).toBe('https://saved.example/s');
  });

  it('then origin plus return_path', () => {
    expect(target({ ...request, redirectUrl: null })).toBe('https://origin.example/p');
  });

  it('origin alone returns to its root', () => {
    expect(target({ origin: 'origin.example' })).toBe('https://origin.example/');
  });

  it("the verification's own origin and path apply if the request names none", () => {
    expect(target({}, { origin: 'https://saved.example', returnPath: '/back' })).toBe(
      'https://saved.example/back',
    );
  });

  it("the verification's path applies to the same origin, and no other", () => {
    const verification = { origin: 'https://saved.example', returnPath: '/back' };
    expect(target({ origin: 'SAVED.example' }, verification)).toBe('https://saved.example/back');
    expect(target({ origin: 'other.example' }, verification)).toBe('https://other.example/');
  });

  it('null if there is no target', () => {
    expect(target({})).toBeNull();
    expect(target({ returnPath: '/p' })).toBeNull();
  });

  it('skips an address that rule 3 refuses', () => {
    expect(target({ redirectUrl: 'http://public.example/', origin: 'origin.example' })).toBe(
      'https://origin.example/',
    );
    expect(target({ origin: 'http://public.example' })).toBeNull();
  });
});

describe('rule 2: a return_path never leaves its origin', () => {
  it.each([
    '//evil.example',
    '///evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    '@evil.example',
    '.evil.example',
    ':8080/x',
    '/../../x',
    'https://evil.example/',
    'javascript:alert(1)',
    '?next=//evil.example',
    '#//evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '',
  ])('%j', (returnPath) => {
    expect(new URL(target({ origin: 'origin.example', returnPath }) ?? '').origin).toBe(
      'https://origin.example',
    );
  });

  it('characters that no address has never reach a header or a page', () => {
    expect(target({ origin: 'origin.example', returnPath: '/a b\r\nc\t\0 ' })).toBe(
      'https://origin.example/a%20bc%00%20',
    );
    expect(target({ redirectUrl: 'https://saved.example/with a line\nbreak \n' })).toBe(
      'https://saved.example/with%20a%20linebreak',
    );
  });

  it('keeps the query and the fragment of the path', () => {
    expect(target({ origin: 'origin.example', returnPath: '/done?step=2#top' })).toBe(
      'https://origin.example/done?step=2#top',
    );
  });
});

describe('rule 1: what is appended', () => {
  const result = { vyt: 'vyt_abc-_1', vyc: 1 } as const;
  const appended = (url: string, passParams: Record<string, string> | null = null) =>
    withResult(url, passParams, result);

  it('the result alone', () => {
    expect(appended('https://example.com')).toBe('https://example.com/?vyt=vyt_abc-_1&vyc=1');
    expect(withResult('https://example.com/', null, { vyt: 'x', vyc: 0 })).toBe(
      'https://example.com/?vyt=x&vyc=0',
    );
  });

  it('after the pass parameters, which are encoded', () => {
    expect(appended('https://example.com/', { a: '1 & 2', 'ü=': 'é#?' })).toBe(
      'https://example.com/?a=1+%26+2&%C3%BC%3D=%C3%A9%23%3F&vyt=vyt_abc-_1&vyc=1',
    );
  });

  it('keys that start with vy are ignored, in any case', () => {
    const passParams = { vyt: 'forged', VYC: '1', Vy_token: 'x', vy: 'x', vyFoo: 'x', avy: 'kept' };
    expect(appended('https://example.com/', passParams)).toBe(
      'https://example.com/?avy=kept&vyt=vyt_abc-_1&vyc=1',
    );
  });

  it('the fragment stays at the end', () => {
    expect(appended('https://example.com/#/route?x=1')).toBe(
      'https://example.com/?vyt=vyt_abc-_1&vyc=1#/route?x=1',
    );
  });

  it.each(['a=1&b=%20x+y', 'a', 'a=&=b', 'a=1&a=2', 'a=1&&b=2', 'q=%7E%2f%2F', 'x[]=1', 'a=b=c'])(
    'the existing query stays byte for byte: %s',
    (query) => {
      expect(appended(`https://example.com/p?${query}`)).toBe(
        `https://example.com/p?${query}&vyt=vyt_abc-_1&vyc=1`,
      );
    },
  );

  it.each([
    ['HTTPS://Example.COM:443/%7ea/./b/../c?x=%2f', 'HTTPS://Example.COM:443/%7ea/./b/../c?x=%2f&'],
    ['https://example.com/é?ü=ß', 'https://example.com/é?ü=ß&'],
    ['https://example.com/p?', 'https://example.com/p?'],
    ['https://example.com/p?&a=1', 'https://example.com/p?&a=1&'],
    ['https://example.com/p?a=1&', 'https://example.com/p?a=1&'],
    ['https://example.com/p?a=1?b=2', 'https://example.com/p?a=1?b=2&'],
    ["https://example.com/p?q='|{}^", "https://example.com/p?q='|{}^&"],
    ['https://example.com/p?vyt=old', 'https://example.com/p?'],
  ])('decisions §3.20: %s keeps its bytes, joined with exactly one ? or &', (url, before) => {
    expect(appended(url)).toBe(`${before}vyt=vyt_abc-_1&vyc=1`);
    expect(appended(`${url}#a?b&c=1`)).toBe(`${before}vyt=vyt_abc-_1&vyc=1#a?b&c=1`);
  });

  it('an address to which nothing is appended stays as it is', () => {
    for (const url of ['https://example.com', 'https://example.com/p?#', 'https://example.com/?vyt=own'])
      expect(withResult(url, null, {})).toBe(url);
  });

  it('except an old result, which the new one replaces', () => {
    expect(appended('https://example.com/?a=1&vyt=old&vyc=0&b=2&v%79t=hidden')).toBe(
      'https://example.com/?a=1&b=2&vyt=vyt_abc-_1&vyc=1',
    );
  });
});
