/** Rules for every return address (contract, initialize rules 1 to 3). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLocalOrPrivateHost, parseReturnAddress } from '../address.ts';
import { returnTarget, withResult } from './return-url.ts';

const RUNS = { numRuns: 1_000 };
const result = { vyt: 'vyt_signed', vyc: 1 } as const;
const reservedKey = fc
  .tuple(fc.constantFrom('vy', 'vY', 'Vy', 'VY'), fc.constantFrom('t', 'c', '_token', ''))
  .map(([prefix, rest]) => prefix + rest);
const anyKey = fc.oneof(fc.string({ unit: 'grapheme' }), reservedKey);
const passParams = fc.dictionary(anyKey, fc.string({ unit: 'grapheme' }));
const query = fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%20', '+', '1'), maxLength: 12 });
const odd = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('/', '\\', '@', ':', '.', '#', '?', 'a', ' ', '\t', '\n', '%2f') }),
  fc.webUrl(),
);

describe('every return address', () => {
  it('carries one vyt and one vyc, both ours, and no other reserved key of the pass parameters', () => {
    fc.assert(
      fc.property(passParams, query, (params, existing) => {
        const url = new URL(withResult(`https://example.com/?${existing}`, params, result));
        expect(url.searchParams.getAll('vyt')).toEqual(['vyt_signed']);
        expect(url.searchParams.getAll('vyc')).toEqual(['1']);
        const reserved = [...url.searchParams.keys()].filter((key) => key.toLowerCase().startsWith('vy'));
        expect(reserved).toEqual(['vyt', 'vyc']);
      }),
      RUNS,
    );
  });

  it('keeps the existing query byte for byte, and the fragment', () => {
    fc.assert(
      fc.property(query, fc.webFragments(), passParams, (existing, fragment, params) => {
        const before = `https://example.com/p?${existing}`;
        const whole = withResult(`${before}#${fragment}`, params, result);
        const joint = existing === '' || existing.endsWith('&') ? '' : '&';
        expect(whole.startsWith(before + joint)).toBe(true);
        expect(whole.charAt(before.length + joint.length)).not.toBe('&');
        expect(whole.endsWith(`#${fragment}`)).toBe(true);
      }),
      RUNS,
    );
  });

  it('carries every other pass parameter unchanged', () => {
    fc.assert(
      fc.property(passParams, (params) => {
        const url = new URL(withResult('https://example.com/', params, result));
        for (const [key, value] of Object.entries(params)) {
          if (key.toLowerCase().startsWith('vy')) continue;
          expect(url.searchParams.getAll(key)).toEqual([value.toWellFormed()]);
        }
      }),
      RUNS,
    );
  });

  it('is https, or local, whatever was requested', () => {
    const sources = fc.record({
      redirectUrl: fc.option(odd, { nil: null }),
      origin: fc.option(odd, { nil: null }),
      returnPath: fc.option(odd, { nil: null }),
    });
    fc.assert(
      fc.property(sources, sources, (request, verification) => {
        const target = returnTarget({ request, verification });
        if (target === null) return;
        const { protocol, hostname } = new URL(target);
        expect(protocol === 'https:' || isLocalOrPrivateHost(hostname)).toBe(true);
        expect(parseReturnAddress(target)).not.toBeNull();
      }),
      RUNS,
    );
  });

  it('stays on its origin, whatever the return_path', () => {
    fc.assert(
      fc.property(odd, (returnPath) => {
        const nothing = { redirectUrl: null, origin: null, returnPath: null };
        const target = returnTarget({
          request: { redirectUrl: null, origin: 'https://origin.example', returnPath },
          verification: nothing,
        });
        expect(new URL(target ?? '').origin).toBe('https://origin.example');
      }),
      RUNS,
    );
  });
});
