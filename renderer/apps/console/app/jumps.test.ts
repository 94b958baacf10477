import { expect, test } from 'vitest';
import { jumpsFor, searchesFor, tasksOn, withoutSecret } from './jumps.ts';
import type { ConsolePage } from './pages.ts';

const page = (id: ConsolePage['id']): ConsolePage => ({
  id,
  path: `/${id}`,
  group: 'work',
  role: 'staff',
  load: () => Promise.reject(new Error('not opened')),
});

test('a typed ID opens its record, and other text searches the people and tickets that the operator may see', () => {
  const both = [page('sessions'), page('people')];
  expect(jumpsFor('0192f0c1-1111-7222-8333-444455556666', both).map((jump) => jump.page)).toEqual([
    'sessions',
    'people',
  ]);
  expect(jumpsFor('Ada', both)).toEqual([]);
  expect(searchesFor(' Ada ', [page('sessions')])).toEqual([
    { page: 'sessions', path: '/sessions', text: 'Ada' },
  ]);
  expect(searchesFor('A', both)).toEqual([]);
});

test('a pasted key is searched as lists show it, without its secret, and put into no address', () => {
  const key = `sk_live_${'a'.repeat(28)}WXYZ`;
  expect([...jumpsFor(key, [page('sessions')]), ...searchesFor(key, [page('sessions')])]).toEqual([]);
  expect(withoutSecret(key)).toBe('sk_live_…WXYZ');
  expect(withoutSecret('sk_live_…WXYZ')).toBe('sk_live_…WXYZ');
  expect(withoutSecret('Ada_live_Lovelace')).toBe('Ada_live_Lovelace');
});

test('a task is offered with its page, and never without it', () => {
  expect(tasksOn([page('door')]).map(({ id }) => id)).toEqual(['pair']);
  expect(tasksOn([page('settings')])).toContainEqual({ id: 'backups', page: 'settings', section: 'backups' });
});
