import { expect, test } from 'vitest';
import type { ClientMessage, CaptureAnswers } from '../../../server/contract/capture.ts';
import { openPosts } from './carriers.ts';

test('over POSTs, a leave does not wait behind a still, and stills that were not sent by then never are', async () => {
  const sent: (ClientMessage | Blob)[] = [];
  const upload = Promise.withResolvers<CaptureAnswers>();
  const carrier = openPosts((message) => {
    sent.push(message);
    return message instanceof Blob ? upload.promise : Promise.resolve({ messages: [] });
  })({ onOpen: () => undefined, onMessage: () => undefined, onLost: () => undefined });
  const [first, second] = [new Blob(['1']), new Blob(['2'])];
  carrier.sendStill(first);
  carrier.sendStill(second);
  await Promise.resolve();
  carrier.send({ type: 'leave' });
  carrier.close();
  expect(sent).toEqual([first, { type: 'leave' }]);
  upload.resolve({ messages: [] });
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent).toEqual([first, { type: 'leave' }]);
});
