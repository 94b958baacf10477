import { expect, onTestFinished, test, vi } from 'vitest';
import { openPersonCamera, openRealCamera } from './camera.ts';

type Device = { deviceId: string; label: string; facingMode?: 'user' | 'environment' };

function devices(...list: Device[]) {
  const running: string[] = [];
  const open = ({ video }: { video: { deviceId?: { exact: string } } }) => {
    const wanted = video.deviceId?.exact;
    const device = list.find(({ deviceId }) => wanted === undefined || deviceId === wanted);
    if (device === undefined) throw new DOMException('gone', 'OverconstrainedError');
    running.push(device.deviceId);
    const track = {
      ...device,
      getSettings: () => device,
      stop: () => running.splice(running.indexOf(device.deviceId), 1),
    };
    return { getTracks: () => [track], getVideoTracks: () => [track] };
  };
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: async (wanted: Parameters<typeof open>[0]) => open(wanted),
      enumerateDevices: async () => list.map((device) => ({ kind: 'videoinput', ...device })),
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return running;
}

const FRONT = { deviceId: 'f', label: 'Front', facingMode: 'user' } as const;
const BACK = { deviceId: 'b', label: 'Back', facingMode: 'environment' } as const;

test('a chosen camera that is gone gives way to one that works', async () => {
  const running = devices({ deviceId: 'new', label: 'Webcam' });
  await openPersonCamera('gone');
  expect(running).toEqual(['new']);
});

test('the camera in place of one that is gone is the front one of a tablet', async () => {
  const running = devices(BACK, FRONT);
  await openPersonCamera('gone');
  expect(running).toEqual(['f']);
});

test('a chosen back camera is kept, and a guest can switch away from it', async () => {
  devices(BACK, FRONT);
  expect(await openPersonCamera('b')).toMatchObject({ nextId: 'f', otherId: 'f' });
});

test('a camera known to face the person is left only by one who has no picture', async () => {
  devices(FRONT, BACK);
  expect(await openPersonCamera(null)).toMatchObject({ nextId: null, otherId: 'b' });
});

test('a single camera has no other', async () => {
  devices({ deviceId: 'one', label: 'Webcam' });
  expect(await openPersonCamera(null)).toMatchObject({ nextId: null, otherId: null });
});

test('at the desktop kiosk, a camera that is gone gives way to a real one, and no virtual one is offered', async () => {
  const running = devices(
    { deviceId: 'v', label: 'OBS Virtual Camera' },
    { deviceId: 'd', label: 'Door' },
    { deviceId: 'e', label: 'Spare' },
  );
  expect(await openRealCamera('gone')).toMatchObject({ otherId: 'e' });
  expect(running).toEqual(['d']);
});
