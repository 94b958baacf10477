import { expect, onTestFinished, test, vi } from 'vitest';
import {
  COMPANY_GONE_EVENT,
  SIGNED_OUT_EVENT,
  CHANGE_TOPICS,
  type ChangeTopic,
} from '../../../../../server/contract/console/changes.ts';
import { followChangeStream } from './change-stream.ts';

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
