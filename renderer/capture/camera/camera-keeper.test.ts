import { expect, onTestFinished, test, vi } from 'vitest';
import type { PersonCamera } from './camera.ts';
import { createCameraKeeper } from './camera-keeper.ts';

function cameras() {
  const opened: { id: string | null; track: MediaStreamTrack }[] = [];
  const open = vi.fn(async (id: string | null): Promise<PersonCamera> => {
    const track = Object.assign(new EventTarget(), {
      readyState: 'live',
      muted: false,
      stop: () => end(track),
    });
    opened.push({ id, track: track as unknown as MediaStreamTrack });
    const tracks = () => [track];
    return {
      stream: { getTracks: tracks, getVideoTracks: tracks } as unknown as MediaStream,
      nextId: null,
      otherId: null,
    };
  });
  const end = (track: EventTarget) => {
    Object.assign(track, { readyState: 'ended' });
    track.dispatchEvent(new Event('ended'));
  };
  return { keeper: createCameraKeeper({ open }), open, opened, end };
}

test('a warm camera is handed over once, and opened once', async () => {
  const { keeper, open } = cameras();
  keeper.warm(null);
  keeper.warm(null);
  const first = await keeper.take(null);
  expect(open).toHaveBeenCalledTimes(1);
  expect(await keeper.take(null)).not.toBe(first);
});

test('a camera that nobody takes is turned off', async () => {
  const { keeper, opened } = cameras();
  keeper.warm(null);
  keeper.cool();
  await expect.poll(() => opened[0]?.track.readyState).toBe('ended');
});

test('if another camera than the warm one is requested, the warm one is turned off', async () => {
  const { keeper, opened } = cameras();
  keeper.warm('one');
  await keeper.take('two');
  expect(opened.map(({ id }) => id)).toEqual(['one', 'two']);
  await expect.poll(() => opened[0]?.track.readyState).toBe('ended');
});

test('a warm camera that was unplugged is opened again', async () => {
  const { keeper, open, opened, end } = cameras();
  keeper.warm(null);
  await expect.poll(() => opened).toHaveLength(1);
  end(opened[0]?.track ?? new EventTarget());
  await keeper.take(null);
  expect(open).toHaveBeenCalledTimes(2);
});

test('a person who refuses the warm camera is not asked twice', async () => {
  const open = vi.fn(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
  const failing = createCameraKeeper({ open });
  failing.warm(null);
  await Promise.resolve();
  await expect(failing.take(null)).rejects.toMatchObject({ name: 'NotAllowedError' });
  expect(open).toHaveBeenCalledTimes(1);
});

test('a camera that hangs, or sends nothing, is reported and opened again until it has a picture', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { open } = cameras();
  const sends = vi.fn(async () => sends.mock.calls.length > 2);
  const said: boolean[] = [];
  const keeper = createCameraKeeper({ open, sends, onPicture: (isThere) => said.push(isThere) });
  keeper.warm(null);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([false, false, true]);
  expect(open).toHaveBeenCalledTimes(3);
});

test('a silent camera that is no longer wanted is left alone', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { open } = cameras();
  const keeper = createCameraKeeper({ open, sends: async () => false, onPicture: () => undefined });
  keeper.warm(null);
  await vi.advanceTimersByTimeAsync(0);
  keeper.cool();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(open.mock.calls.length).toBeLessThan(3);
});
