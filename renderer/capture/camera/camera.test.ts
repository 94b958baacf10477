import { expect, onTestFinished, test, vi } from 'vitest';
import { cameraTroubleOf, facingByName, looksVirtual, openRealCamera, watchCamera } from './camera.ts';
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
  '%s replaces a camera',
  (label) => expect(looksVirtual(label)).toBe(true),
);

test.each(['FaceTime HD Camera', 'Integrated Webcam (0bda:5689)', 'camera2 1, facing front', ''])(
  '"%s" is taken for a camera',
  (label) => expect(looksVirtual(label)).toBe(false),
);

test('every swap of the camera during a capture is noticed, and stays reported', () => {
  let settings: MediaTrackSettings = { deviceId: 'a', width: 960, height: 720 };
  const camera = watchCamera({ label: 'Webcam', getSettings: () => settings });
  expect(camera.report()).toEqual({ virtual: false, changed: false });
  const changes = [{ deviceId: 'b' }, { deviceId: 'c' }, { deviceId: 'a' }, { width: 640, height: 480 }];
  for (const change of changes) {
    settings = { ...settings, ...change };
    expect(camera.isSwapped()).toBe(true);
    expect(camera.report()).toEqual({ virtual: false, changed: true });
    expect(camera.isSwapped()).toBe(false);
  }
});

test('turning a phone does not change its camera', () => {
  let settings: MediaTrackSettings = { deviceId: 'a', width: 960, height: 720 };
  const camera = watchCamera({ label: 'Front camera', getSettings: () => settings });
  settings = { deviceId: 'a', width: 720, height: 960 };
  expect(camera.isSwapped()).toBe(false);
  expect(camera.report()).toEqual({ virtual: false, changed: false });
});

test.each([
  ['a virtual camera gives way to a real one', null, ['OBS Virtual Camera', 'Door'], 'Door'],
  ['a virtual camera alone is no camera', null, ['OBS Virtual Camera'], 'NotFoundError'],
  ['a virtual camera that was chosen is not replaced', '0', ['OBS Virtual Camera', 'Door'], 'NotFoundError'],
  ['a real camera is kept', '1', ['OBS Virtual Camera', 'Door'], 'Door'],
])('at the desktop kiosk, %s', async (_rule, cameraId, labels, opened) => {
  const running = new Set<string>();
  const streamOf = (deviceId: string) => {
    const label = labels[Number(deviceId)] ?? '';
    running.add(label);
    const track = { label, getSettings: () => ({ deviceId }), stop: () => running.delete(label) };
    return { getTracks: () => [track], getVideoTracks: () => [track] };
  };
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: async ({ video }: { video: { deviceId?: { exact: string } } }) =>
        streamOf(video.deviceId?.exact ?? '0'),
      enumerateDevices: async () =>
        labels.map((label, index) => ({ kind: 'videoinput', deviceId: String(index), label })),
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const result = await openRealCamera(cameraId).then(
    ({ stream }) => stream.getVideoTracks()[0]?.label,
    (error: unknown) => (error instanceof DOMException ? error.name : error),
  );
  expect(result).toBe(opened);
  expect([...running]).toEqual(opened === 'Door' ? ['Door'] : []);
});
