import { expect, test } from 'vitest';
import { createScanApi } from './scan-api.ts';

/** A server that answers, or whose reply is lost after it has acted. */
function onDuty() {
  const asked: (string | null)[] = [];
  let answer: () => Response = () => Response.json({ let_in: 1 });
  const send: typeof fetch = async (_input, init) => {
    asked.push(new Headers(init?.headers).get('idempotency-key'));
    return answer();
  };
  const kept = new Map<string, string>();
  const storage = () => ({ getItem: (key: string) => kept.get(key) ?? null }) as Storage;
  const lose = () => {
    throw new TypeError('Failed to fetch');
  };
  return {
    api: createScanApi(send, storage),
    keys: () => asked,
    answers: (next: 'lost' | Response) => {
      answer = next === 'lost' ? lose : () => next.clone();
    },
  };
}

const refused = (status: number, detail: string) => Response.json({ detail }, { status });
const unknown = ['lost', refused(409, 'idempotency_key_in_use'), refused(503, 'busy')] as const;

test.each(unknown)('an act whose answer is not known is the same act when it is asked again', async (way) => {
  const { api, keys, answers } = onDuty();
  const acts = [
    () => api.ticket({ text: 'A' }, 'in'),
    () => api.letIn('t1', 'Paid'),
    () => api.children(['t2']),
  ];
  for (const act of acts) {
    answers(way);
    await act().catch(() => undefined);
    answers('lost');
    await api.ticket({ text: 'other' }, 'in').catch(() => undefined);
    await act().catch(() => undefined);
    answers(Response.json({ let_in: 1 }));
    await act();
    const [first, other, again, answered] = keys().slice(-4);
    expect([again, answered]).toEqual([first, first]);
    expect(other).not.toBe(first);
    await act();
    expect(keys().at(-1)).not.toBe(first);
  }
});

test('an act that was refused, or in the other direction, is another one', async () => {
  const { api, keys, answers } = onDuty();
  answers(refused(403, 'supervisor_required'));
  for (let time = 0; time < 2; time += 1) await api.ticket({ text: 'A' }, 'out').catch(() => undefined);
  answers('lost');
  for (const way of ['in', 'out'] as const) await api.ticket({ text: 'A' }, way).catch(() => undefined);
  expect(new Set(keys()).size).toBe(4);
});
