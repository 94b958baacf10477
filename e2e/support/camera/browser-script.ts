/** Runs in the page as an init script: it may use nothing from outside its own function. */

export type CameraSetup = {
  framesPath: string;
  listing: { clip: string; bytes: number }[];
  width: number;
  height: number;
  framesPerSecond: number;
  frozen: boolean;
  refuse: string | null;
};

/** `window.__camera` in the page under test. */
export type ScriptedCamera = {
  /** Resolves at the end of the clip. A clip that is under way is cut off. */
  play(clip: string): Promise<void>;
  /** Holds the picture that shows now, or goes on. */
  freeze(on: boolean): void;
  /** A hand over the lens: black frames. */
  cover(on: boolean): void;
  /** The cable is pulled: the running tracks end. */
  unplug(): void;
};

export function replaceCamera(setup: CameraSetup): void {
  // Pages without a secure origin have no cameras, and neither do frames of other documents.
  if (!('mediaDevices' in navigator)) return;
  const canvas = document.createElement('canvas');
  canvas.width = setup.width;
  canvas.height = setup.height;
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('no 2-D canvas');
  const tracks = new Set<MediaStreamTrack>();
  let clips: Map<string, Blob[]> | null = null;
  let playing: { frames: Blob[]; index: number; done: () => void } | null = null;
  let idleTick = 0;
  let frozen = setup.frozen;
  let covered = false;
  let timer: number | null = null;

  const load = async () => {
    if (clips) return;
    const bytes = new Uint8Array(await (await fetch(setup.framesPath)).arrayBuffer());
    clips = new Map();
    let at = 0;
    for (const { clip, bytes: length } of setup.listing) {
      const frame = new Blob([bytes.subarray(at, at + length)], { type: 'image/jpeg' });
      clips.set(clip, [...(clips.get(clip) ?? []), frame]);
      at += length;
    }
  };

  /** Idle runs to and fro, so that it has no seam. */
  const nextFrame = (): Blob | undefined => {
    if (playing && playing.index < playing.frames.length) return playing.frames[playing.index++];
    playing?.done();
    playing = null;
    const idle = clips?.get('idle') ?? [];
    const period = Math.max(1, 2 * (idle.length - 1));
    const phase = idleTick++ % period;
    return idle[Math.min(phase, period - phase)];
  };

  const tick = async () => {
    const frame = frozen && idleTick > 0 ? undefined : nextFrame();
    if (frame) {
      const picture = await createImageBitmap(frame);
      drawing.drawImage(picture, 0, 0, setup.width, setup.height);
      picture.close();
    } else {
      // A stream only carries frames that were drawn: draw the held one again.
      drawing.drawImage(canvas, 0, 0);
    }
    if (covered) drawing.fillRect(0, 0, setup.width, setup.height);
  };

  const camera: ScriptedCamera = {
    play: async (clip) => {
      await load();
      const frames = clips?.get(clip);
      if (!frames) throw new Error(`no clip ${clip}`);
      playing?.done();
      await new Promise<void>((done) => {
        playing = { frames, index: 0, done };
      });
    },
    freeze: (on) => {
      frozen = on;
    },
    cover: (on) => {
      covered = on;
    },
    unplug: () => {
      for (const track of tracks) {
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
      tracks.clear();
      setup.refuse = 'NotFoundError';
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    },
  };
  Object.defineProperty(window, '__camera', { value: camera });

  navigator.mediaDevices.getUserMedia = async (constraints) => {
    if (setup.refuse !== null) throw new DOMException('scripted camera', setup.refuse);
    if (constraints?.video === undefined || constraints.video === false) {
      throw new DOMException('no microphone here', 'NotFoundError');
    }
    await load();
    await tick();
    timer ??= window.setInterval(() => void tick(), 1000 / setup.framesPerSecond);
    const stream = canvas.captureStream(30);
    for (const track of stream.getVideoTracks()) tracks.add(track);
    return stream;
  };
  navigator.mediaDevices.enumerateDevices = async () => {
    if (setup.refuse === 'NotFoundError') return [];
    const device = {
      deviceId: 'scripted',
      groupId: 'scripted',
      kind: 'videoinput',
      label: 'Scripted camera',
    };
    return [{ ...device, toJSON: () => device } as MediaDeviceInfo];
  };
  const { permissions } = navigator;
  const query = permissions.query.bind(permissions);
  permissions.query = async (descriptor) => {
    if ((descriptor.name as string) !== 'camera') return query(descriptor);
    const status = new EventTarget() as PermissionStatus;
    const state = setup.refuse === 'NotAllowedError' ? 'denied' : 'granted';
    return Object.defineProperties(status, { state: { value: state }, name: { value: 'camera' } });
  };
}
