import { expect, test } from 'vitest';
import { LIVE_TOPICS, type LiveTopic } from '../../../../server/contract/console/live.ts';
import { beginChange, followLiveStream, ignoreAnnouncement } from './live-stream.ts';

function followed() {
  const stream = new EventTarget();
  const announced: LiveTopic[] = [];
  followLiveStream(stream, {
    announce: (topic) => announced.push(topic),
    signedOut: () => undefined,
    lost: () => undefined,
  });
  return { stream, announced };
}

const event = (topic: LiveTopic, version?: string) =>
  new MessageEvent(topic, { data: JSON.stringify({ topic, version }) });

test('every topic is announced when the stream opens again after an error, and not when it first opens', () => {
  const { stream, announced } = followed();
  stream.dispatchEvent(new Event('open'));
  expect(announced).toEqual([]);
  stream.dispatchEvent(new Event('error'));
  stream.dispatchEvent(new Event('open'));
  expect(announced).toEqual([...LIVE_TOPICS]);
  stream.dispatchEvent(new Event('open'));
  expect(announced).toHaveLength(LIVE_TOPICS.length);
});

test('a change that the page made and has shown is not announced to it', () => {
  const { stream, announced } = followed();
  ignoreAnnouncement('case', '7');
  stream.dispatchEvent(event('case', '7'));
  stream.dispatchEvent(event('case', '8'));
  expect(announced).toEqual(['case']);
});

test('an event that comes before the reply to a change waits for it, and is ignored if the reply has its version', () => {
  const { stream, announced } = followed();
  const end = beginChange();
  stream.dispatchEvent(event('audit', '3/8'));
  stream.dispatchEvent(event('venue', '2'));
  expect(announced).toEqual([]);
  end({ audit: '3/8', venue: '1' });
  expect(announced).toEqual(['venue']);
});

test('a reply that knows only the latest entry of the audit log covers every version that ends with it', () => {
  const { stream, announced } = followed();
  beginChange()({ audit: '/8' });
  stream.dispatchEvent(event('audit', '3/8'));
  beginChange()({ audit: '/9' });
  stream.dispatchEvent(event('audit', '3/19'));
  expect(announced).toEqual(['audit']);
});
