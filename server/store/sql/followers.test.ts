import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announcementOf, createFollowers, SLOW_LOOK_MS } from './followers.ts';
import { INSTALLATION } from './port.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('an announcement is news for those who follow its subject; one without a subject is for all of its topic', () => {
  const followers = createFollowers();
  const heard: string[] = [];
  const note = (who: string) => (isNews: boolean) => void heard.push(`${who} ${isNews}`);
  followers.follow('audit', note('all'));
  followers.follow('audit', note('company'), 'company-1');
  followers.follow('audit', note('installation'), INSTALLATION);
  followers.tell([announcementOf('audit', 'company-1')]);
  expect(heard.splice(0)).toEqual(['all true', 'company true']);
  followers.tell([announcementOf('audit')]);
  expect(heard.splice(0)).toEqual(['all true', 'company true', 'installation true']);
  followers.tell([announcementOf('session', 'company-1')]);
  expect(heard).toEqual([]);
  followers.close();
});

it('the slow look calls every follower, one after the other, even if one fails, until the end', async () => {
  const failures: unknown[] = [];
  const followers = createFollowers((error) => failures.push(error));
  const listener = vi.fn();
  followers.follow('codes', () => {
    throw new Error('broken');
  });
  followers.follow('session', listener, 's');
  const unfollow = followers.follow('session', listener, 'gone');
  unfollow();
  await vi.advanceTimersByTimeAsync(SLOW_LOOK_MS - 1);
  expect(listener).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(50);
  expect(listener.mock.calls).toEqual([[false]]);
  expect(failures).toHaveLength(1);
  followers.close();
  await vi.advanceTimersByTimeAsync(3 * SLOW_LOOK_MS);
  expect(listener).toHaveBeenCalledOnce();
});
