import { expect, test } from 'vitest';
import { serverEvents, type ServerEvent } from './sse.ts';

async function eventsOf(...chunks: string[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of serverEvents(new Blob(chunks).stream())) events.push(event);
  return events;
}

test('events are complete, however they are split in transit', async () => {
  const bytes = new TextEncoder().encode('event: snapshot\ndata: {"é":1}\n\nevent: snapshot\ndata: 2\n\n');
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of serverEvents(pieces)) events.push(event);
  expect(events).toEqual([
    { event: 'snapshot', data: '{"é":1}' },
    { event: 'snapshot', data: '2' },
  ]);
});

test('comments, IDs and unfinished events are not events', async () => {
  expect(await eventsOf(': hello\n\nid: 4\n\nevent: snapshot\ndata: 1\n')).toEqual([]);
});

test('several data lines are one text, and lines may end in CR LF', async () => {
  expect(await eventsOf('data: a\r\ndata: b\r\n\r\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
});
