import { expect, it } from 'vitest';
import { announcedSubjects, firstReachable } from './service.ts';

const LOOPBACK = ['127.0.0.1', '::1'];
const names = ['venue-pc.local', 'localhost'];

it('a .local name that nobody announces is told to nobody, unless there is no address', () => {
  const own = { names, addresses: ['192.168.1.4', ...LOOPBACK] };
  expect(announcedSubjects(own, false).names).toEqual(['localhost']);
  expect(announcedSubjects(own, true)).toEqual(own);
  const alone = { names, addresses: LOOPBACK };
  expect(announcedSubjects(alone, false)).toEqual(alone);
});

it('where nobody announces the name, links use an IPv6 address', () => {
  const own = { names, addresses: ['fd00::4', ...LOOPBACK] };
  expect(firstReachable(announcedSubjects(own, true))).toBe('venue-pc.local');
  expect(firstReachable(announcedSubjects(own, false))).toBe('fd00::4');
});
