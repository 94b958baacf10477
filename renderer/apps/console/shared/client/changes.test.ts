import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { refreshOlder } from './changes.tsx';

/** A list that was read ahead, and its page, which is not open yet. */
async function readAhead() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const read = vi.fn(async () => read.mock.calls.length);
  const options = { queryKey: ['sessions', 'scope'], queryFn: read };
  await client.query(options);
  const page = new QueryObserver(client, options);
  return { client, read, page, open: () => page.subscribe(() => undefined) };
}

test.each(['before', 'after'])(
  'a list that was read ahead before a change is read again when its page opens, if it hears of it %s its list',
  async (order) => {
    const { client, page, open } = await readAhead();
    const refresh = () => refreshOlder(client, ['sessions'], Date.now());
    const steps = order === 'before' ? [refresh, open] : [open, refresh];
    for (const step of steps) step();
    await expect.poll(() => page.getCurrentResult().data).toBe(2);
  },
);

test('a list that was read after the last change is not read again, nor is one of another topic', async () => {
  const { client, read, open } = await readAhead();
  open();
  refreshOlder(client, ['sessions'], undefined);
  refreshOlder(client, ['sessions'], Date.now() - 60_000);
  refreshOlder(client, ['people'], Date.now());
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(read).toHaveBeenCalledTimes(1);
});
