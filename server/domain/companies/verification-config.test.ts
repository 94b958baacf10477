/** Decisions §3.7 and §5, "Config options". */
import { describe, expect, it } from 'vitest';
import { resolveConfig, unknownOptions } from './verification-config.ts';

describe('options that the server does not know', () => {
  it('none if all are known; dotted names are nested objects', () => {
    expect(unknownOptions({})).toEqual([]);
    expect(
      unknownOptions({
        require_account: true,
        is_test: false,
        is_demo: false,
        track_attributes: [{ anything: 1 }],
        collision: { action: 'review' },
        limit: { kind: 'day', max: 2 },
        skip: { window_hours: 0 },
        identity: { share: true },
        returning: { auto_return: true },
        liveness: { challenge: 'strict' },
        phone: { required: true },
      }),
    ).toEqual([]);
  });

  it('are named in order, with dots if they are nested', () => {
    expect(unknownOptions({ colour: 'red', collision: { action: 'deny', mode: 1 }, limits: {} })).toEqual([
      'colour',
      'collision.mode',
      'limits',
    ]);
  });

  it('a dotted name at the top is not an option', () => {
    expect(unknownOptions({ 'collision.action': 'deny' })).toEqual(['collision.action']);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    '%s is not an option, though every object has it',
    (name) => {
      const config = JSON.parse(`{"${name}": {"x": 1}, "limit": {"${name}": 1}}`) as Record<string, unknown>;
      expect(unknownOptions(config)).toEqual([name, `limit.${name}`]);
    },
  );
});

describe('defaults of v3', () => {
  it('are those of decisions §5', () => {
    expect(resolveConfig({}, 'v3')).toEqual({
      captureTrust: 'any',
      collisionAction: 'deny',
      limit: { kind: 'none', max: 1 },
      skipWindowMs: 24 * 3_600_000,
      shareIdentity: false,
      autoReturn: false,
      challenge: 'standard',
      phoneRequired: false,
    });
  });

  it('fill in what a nested option leaves out', () => {
    expect(resolveConfig({ limit: { kind: 'week' }, collision: {} }, 'v3')).toMatchObject({
      limit: { kind: 'week', max: 1 },
      collisionAction: 'deny',
    });
  });

  it('a window of 0 hours is 0, not the default', () => {
    expect(resolveConfig({ skip: { window_hours: 0 } }, 'v3').skipWindowMs).toBe(0);
  });
});

describe('defaults of v1 and v2 (decisions §5, end)', () => {
  it.each(['v1', 'v2'] as const)(
    '%s: a collision goes to a reviewer, and a phone is proven',
    (generation) => {
      expect(resolveConfig({}, generation)).toEqual({
        ...resolveConfig({}, 'v3'),
        collisionAction: 'review',
        phoneRequired: true,
      });
    },
  );

  it.each(['v1', 'v2'] as const)('%s: the config takes precedence', (generation) => {
    const config = { collision: { action: 'flag' as const }, phone: { required: false } };
    expect(resolveConfig(config, generation)).toMatchObject({
      collisionAction: 'flag',
      phoneRequired: false,
    });
  });
});
