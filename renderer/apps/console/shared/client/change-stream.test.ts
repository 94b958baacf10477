import { expect, onTestFinished, test, vi } from 'vitest';
import {
  BASELINE_EVENT,
  COMPANY_GONE_EVENT,
  SIGNED_OUT_EVENT,
  CHANGE_TOPICS,
  type ChangeVersions,
  type ChangeTopic,
} from '../../../../../server/contract/console/changes.ts';
import { beginChange, followChangeStream, ignoreAnnouncement } from './change-stream.ts';

/** A stream that a test opens, loses and closes. */
class Stream extends EventTarget {
  readyState = 0;
  close(): void {
    this.readyState = 2;
  }
  /** The browser gives up, as after a reply that is not a stream. */
  giveUp(): void {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}

function followed() {
  const streams: Stream[] = [];
  const announced: ChangeTopic[] = [];
  const signedOut = vi.fn();
  const companyGone = vi.fn();
  const stop = followChangeStream(
    () => {
      const stream = new Stream();
      streams.push(stream);
      return stream;
    },
    { announce: (topic) => announced.push(topic), signedOut, companyGone, lost: () => undefined },
  );
  onTestFinished(stop);
  return { stream: streams[0]!, streams, announced, signedOut, companyGone, stop };
}

const event = (topic: ChangeTopic, version?: string) =>
  new MessageEvent(topic, { data: JSON.stringify({ topic, version }) });

test('every topic is announced when the stream reopens after an error, and not when it first opens', () => {
  const { stream, announced } = followed();
  stream.dispatchEvent(new Event('open'));
  expect(announced).toEqual([]);
  stream.dispatchEvent(new Event('error'));
  stream.dispatchEvent(new Event('open'));
  expect(announced).toEqual([...CHANGE_TOPICS]);
  stream.dispatchEvent(new Event('open'));
  expect(announced).toHaveLength(CHANGE_TOPICS.length);
});

test('a stream that the browser gives up is opened again, and meanwhile everything is refreshed', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stream, streams, announced, stop } = followed();
  stream.giveUp();
  expect(announced).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(announced).toEqual([...CHANGE_TOPICS]);
  streams[1]?.giveUp();
  vi.advanceTimersByTime(10_000);
  expect(streams).toHaveLength(3);
  announced.length = 0;
  streams[2]?.dispatchEvent(new Event('open'));
  expect(announced).toEqual([...CHANGE_TOPICS]);
  streams[2]?.giveUp();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(streams).toHaveLength(3);
});

test('a stream whose session has ended is not opened again', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stream, streams, signedOut } = followed();
  stream.dispatchEvent(new Event(SIGNED_OUT_EVENT));
  expect(signedOut).toHaveBeenCalledOnce();
  stream.giveUp();
  vi.advanceTimersByTime(60_000);
  expect(streams).toHaveLength(1);
});

test('a company that is gone ends its stream once, and the operator stays signed in', () => {
  const { stream, signedOut, companyGone } = followed();
  stream.dispatchEvent(new Event(COMPANY_GONE_EVENT));
  stream.dispatchEvent(new Event('error'));
  expect(companyGone).toHaveBeenCalledOnce();
  expect(signedOut).not.toHaveBeenCalled();
});

test('a change that the page made and already shows is not announced to it', () => {
  const { stream, announced } = followed();
  ignoreAnnouncement('case', '7');
  stream.dispatchEvent(event('case', '7'));
  stream.dispatchEvent(event('case', '8'));
  expect(announced).toEqual(['case']);
});

const baseline = (versions: ChangeVersions) =>
  new MessageEvent(BASELINE_EVENT, { data: JSON.stringify(versions) });

test('an event that arrives before the reply to a change waits for it, and is ignored if the reply has its version', () => {
  const { stream, announced } = followed();
  stream.dispatchEvent(baseline({ audit: '3/7', venue: '0' }));
  const end = beginChange();
  stream.dispatchEvent(event('audit', '3/8'));
  stream.dispatchEvent(event('venue', '2'));
  expect(announced).toEqual([]);
  end({ before: { audit: '3/7', venue: '0' }, after: { audit: '3/8', venue: '1' } });
  expect(announced).toEqual(['venue']);
});

test('a change by someone else that the page missed is announced, even if the page’s own came after it', () => {
  const { stream, announced } = followed();
  stream.dispatchEvent(baseline({ venue: '1' }));
  beginChange()({ before: { venue: '2' }, after: { venue: '3' } });
  stream.dispatchEvent(event('venue', '3'));
  expect(announced).toEqual(['venue']);
});

test('a reply that knows only the latest entry of the audit log counts if the page knew the previous one', () => {
  const { stream, announced } = followed();
  stream.dispatchEvent(baseline({ audit: '3/7' }));
  beginChange()({ before: { audit: '/7' }, after: { audit: '/8' } });
  stream.dispatchEvent(event('audit', '3/8'));
  expect(announced).toEqual([]);
  beginChange()({ before: { audit: '/9' }, after: { audit: '/10' } });
  stream.dispatchEvent(event('audit', '4/10'));
  expect(announced).toEqual(['audit']);
});

test('a change without a reply does not hold events back for long', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { stream, announced } = followed();
  const end = beginChange();
  stream.dispatchEvent(event('session'));
  vi.advanceTimersByTime(5_000);
  expect(announced).toEqual(['session']);
  end(null);
});
