import { expect, it } from 'vitest';
import { optionOf, parseConfig, withOption } from './options.ts';

it('an option is found by its dotted name', () => {
  const config = { limit: { kind: 'day' }, is_test: true };
  expect(optionOf(config, 'limit.kind')).toBe('day');
  expect(optionOf(config, 'is_test')).toBe(true);
  expect(optionOf(config, 'skip.window_hours')).toBeUndefined();
  expect(optionOf({ limit: 'day' }, 'limit.kind')).toBeUndefined();
});

it('setting one keeps the others, known or not', () => {
  const config = { limit: { kind: 'day', max: 2 }, track_attributes: ['badge'] };
  expect(withOption(config, 'limit.max', 3)).toEqual({ ...config, limit: { kind: 'day', max: 3 } });
  expect(withOption(config, 'skip.window_hours', 0)).toEqual({ ...config, skip: { window_hours: 0 } });
});

it('removing one also removes an empty object', () => {
  expect(withOption({ collision: { action: 'deny' } }, 'collision.action', undefined)).toEqual({});
  expect(withOption({ limit: { kind: 'day', max: 2 } }, 'limit.kind', undefined)).toEqual({
    limit: { max: 2 },
  });
});

it('only a JSON object is a config', () => {
  expect(parseConfig('{"is_test": true}')).toEqual({ is_test: true });
  for (const text of ['', '[]', 'null', '7', '{']) expect(parseConfig(text)).toBeNull();
});
