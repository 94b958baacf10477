import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { putRow } from './put-row.ts';

test('the row that a change answered with replaces the cached one in lists, pages and details, and nothing else', () => {
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
