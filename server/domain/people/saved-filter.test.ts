import { expect, test } from 'vitest';
import { looksFor, soughtBy } from './saved-filter.ts';

const jose = soughtBy(
  { metadata: { full_name: 'José María da Silva', seat: 'A7', ticket: 'Press' } },
  ['0199-id', 'jose@example.com', '+34600123456', 'guest-1'],
  (key) => key === 'ticket',
);
const looks = (query: string, name = 'kept') => looksFor({ name, query }, jose);

test('an ID or a credential identifies its person, on any page and in any notation', () => {
  expect(looks('q=Jose%40Example.com&sort=new')).toBe(true);
  expect(looks('subject=0199-ID')).toBe(true);
  expect(looks('q=guest-1')).toBe(true);
  expect(looks('q=%2B34 600 12-34-56')).toBe(true);
  expect(looks('status=denied', 'jose@example.com')).toBe(true);
  expect(looks('q=guest-11')).toBe(false);
});

test('two words of a name identify a person, one of several words does not', () => {
  expect(looks('q=silva jos')).toBe(true);
  expect(looks('status=denied', 'José Silva')).toBe(true);
  expect(looks('q=silva')).toBe(false);
  expect(looks('q=jose ruiz')).toBe(false);
  const ana = soughtBy({ metadata: { name: 'Ana' } }, [], () => true);
  expect(looksFor({ name: 'x', query: 'q=ana' }, ana)).toBe(true);
});

test('metadata identifies the person if only they have it', () => {
  expect(looks('key=seat&value=a7')).toBe(true);
  expect(looks('key=ticket&value=Press')).toBe(false);
  expect(looks('from=2026-01-01&to=')).toBe(false);
});
