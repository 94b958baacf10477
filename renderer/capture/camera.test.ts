import { expect, test } from 'vitest';
import { cameraTroubleOf, facingByName, looksVirtual, watchCamera } from './camera.ts';
import { fitted } from './frame-source.ts';

test.each([
  ['NotAllowedError', 'denied'],
  ['NotFoundError', 'absent'],
  ['NotReadableError', 'in_use'],
  ['TypeError', 'unsupported'],
] as const)('%s means %s', (name, trouble) => {
  expect(cameraTroubleOf(Object.assign(new Error('camera'), { name }))).toBe(trouble);
});

test('frames keep their shape, and only large ones shrink', () => {
  expect(fitted(640, 480)).toEqual({ width: 640, height: 480 });
  expect(fitted(1920, 1080)).toEqual({ width: 960, height: 540 });
  expect(fitted(720, 1280)).toEqual({ width: 540, height: 960 });
});

test.each([
  ['camera2 0, facing back', 'environment'],
  ['Rückseitige Kamera', 'environment'],
  ['Cámara trasera', 'environment'],
  ['Caméra arrière', 'environment'],
  ['camera2 1, facing front', 'user'],
  ['Vorderseitige Kamera', 'user'],
  ['Cámara delantera', 'user'],
  ['Caméra avant', 'user'],
  ['Integrated Webcam', null],
] as const)('"%s" faces %s', (label, facing) => {
  expect(facingByName(label)).toBe(facing);
});

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
