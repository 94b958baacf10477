import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { addRow, dropRow, putRow } from './put-row.ts';

test('the reply to a change replaces the cached row in lists, pages and details, and nothing else', () => {
  const client = new QueryClient();
  const [old, other, changed] = [
    { event_id: 'a', name: 'Old' },
    { event_id: 'b', name: 'Other' },
    { event_id: 'a', name: 'New' },
  ];
  client.setQueryData(['events', 'live'], {
    pages: [{ items: [other] }, { items: [old] }],
    pageParams: [''],
  });
  client.setQueryData(['events', 'whole'], { items: [old, other] });
  client.setQueryData(['events', 'one', 'a'], old);
  client.setQueryData(['events', 'one', 'b'], other);
  client.setQueryData(['door'], { items: [old] });
  putRow(client, 'events', 'event_id', changed);
  expect(client.getQueryData(['events', 'live'])).toEqual({
    pages: [{ items: [other] }, { items: [changed] }],
    pageParams: [''],
  });
  expect(client.getQueryData(['events', 'whole'])).toEqual({ items: [changed, other] });
  expect(client.getQueryData(['events', 'one', 'a'])).toEqual(changed);
  expect(client.getQueryData(['events', 'one', 'b'])).toEqual(other);
  expect(client.getQueryData(['door'])).toEqual({ items: [old] });
});

test('a new row is inserted into its lists, or waits for a page that is not loaded', () => {
  const client = new QueryClient();
  const [a, b, c] = [{ at: 1 }, { at: 2 }, { at: 3 }];
  client.setQueryData(['keys', { list: 'working' }], { pages: [{ items: [c] }, { items: [a] }] });
  client.setQueryData(['keys', { list: 'gone' }], { pages: [{ items: [c] }] });
  client.setQueryData(['more', {}], { pages: [{ items: [c], next_cursor: 'x' }] });
  client.setQueryData(['whole'], { items: [c] });
  client.setQueryData(['detail'], { at: 7 });
  const isNewer = (other: typeof b) => b.at > other.at;
  for (const key of [['keys', { list: 'working' }], ['more'], ['whole'], ['detail']])
    addRow(client, key, b, isNewer);
  expect(client.getQueryData(['keys', { list: 'working' }])).toEqual({
    pages: [{ items: [c] }, { items: [b, a] }],
  });
  expect(client.getQueryData(['keys', { list: 'gone' }])).toEqual({ pages: [{ items: [c] }] });
  expect(client.getQueryData(['more', {}])).toEqual({ pages: [{ items: [c], next_cursor: 'x' }] });
  expect(client.getQueryData(['whole'])).toEqual({ items: [c, b] });
  expect(client.getQueryData(['detail'])).toEqual({ at: 7 });
});

test('a deleted row leaves the lists', () => {
  const client = new QueryClient();
  client.setQueryData(['keys', 'working'], { pages: [{ items: [{ id: 1 }] }, { items: [{ id: 2 }] }] });
  dropRow<{ id: number }>(client, ['keys', 'working'], ({ id }) => id === 2);
  expect(client.getQueryData(['keys', 'working'])).toEqual({
    pages: [{ items: [{ id: 1 }] }, { items: [] }],
  });
});
