import { expect, test } from 'vitest';
import { looksVirtual, watchCamera } from './camera-hints.ts';

test.each(['OBS Virtual Camera', 'ManyCam Virtual Webcam', 'v4l2 loopback device', 'NDI Video'])(
  '%s stands in for a camera',
  (label) => expect(looksVirtual(label)).toBe(true),
);

test.each(['FaceTime HD Camera', 'Integrated Webcam (0bda:5689)', 'camera2 1, facing front', ''])(
  '"%s" is taken for a camera',
  (label) => expect(looksVirtual(label)).toBe(false),
);

test('a camera that becomes another, or another size, has changed', () => {
  let settings: MediaTrackSettings = { deviceId: 'a', width: 960, height: 720 };
  const hints = watchCamera({ label: 'Webcam', getSettings: () => settings });
  expect(hints()).toEqual({ virtual: false, changed: false });
  settings = { ...settings, deviceId: 'b' };
  expect(hints()).toEqual({ virtual: false, changed: true });
});

test('a phone that is turned has the same camera', () => {
  let settings: MediaTrackSettings = { deviceId: 'a', width: 960, height: 720 };
  const hints = watchCamera({ label: 'Front camera', getSettings: () => settings });
  settings = { deviceId: 'a', width: 720, height: 960 };
  expect(hints()).toEqual({ virtual: false, changed: false });
});
