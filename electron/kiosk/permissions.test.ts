import { expect, test } from 'vitest';
import { isKioskPermissionAllowed } from './permissions.ts';

const origin = 'http://127.0.0.1:1';
const camera = { permission: 'media', url: `${origin}/kiosk`, media: ['video'] };

test('the kiosk’s own page may use the camera', () => {
  expect(isKioskPermissionAllowed(camera, origin)).toBe(true);
});

test.each([
  { ...camera, media: ['video', 'audio'] },
  { ...camera, media: ['audio'] },
  { ...camera, media: [] },
  { ...camera, media: [undefined] },
  { ...camera, url: 'https://elsewhere.example/kiosk' },
  { ...camera, url: 'not an address' },
  { ...camera, permission: 'geolocation' },
  { ...camera, permission: 'fullscreen' },
])('nothing else is allowed: %j', (asked) => {
  expect(isKioskPermissionAllowed(asked, origin)).toBe(false);
});

test('nothing is allowed without a server', () => {
  expect(isKioskPermissionAllowed(camera, null)).toBe(false);
});
