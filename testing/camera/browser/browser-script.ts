/** Runs in the page as an init script, so it may use nothing outside its own function. */

export type CameraSetup = {
  framesPath: string;
  listing: { clip: string; bytes: number }[];
  width: number;
  height: number;
  framesPerSecond: number;
  frozen: boolean;
  /** The page's share of the light on the face. */
  pageLight: number;
  refuse: string | null;
  /** `getUserMedia` never settles (`promise`), or the stream has no frames. */
  silent: 'promise' | 'frames' | null;
  /** How the camera is mounted: its picture is mirrored, or turned by so many degrees. */
  mounting: { mirrored: boolean; turnedDeg: number };
  /** In the browser's order. All show the same person. */
  devices: ScriptedDevice[];
};

export type ScriptedDevice = { deviceId: string; label: string; facingMode?: 'user' | 'environment' };

/** The scene: one person well placed; two of them; one far away; one in the dark. */
export type CameraScene = 'plain' | 'crowd' | 'far' | 'dark';

/** `window.__camera` in the page under test. */
export type ScriptedCamera = {
  /** Resolves at the end of the clip. Cuts off a clip in progress. */
  play(clip: string): Promise<void>;
  /** Like `play`, but stays at the clip's peak until `release`. */
  hold(clip: string): Promise<void>;
  /** Returns to rest from the current state of the gesture. */
  release(): void;
  /** Freezes the current picture, or continues. */
  freeze(on: boolean): void;
  /** A hand over the lens: black frames. */
  cover(on: boolean): void;
  look(at: CameraScene): void;
  /** The camera answers from now on. */
  wake(): void;
  /** Unplugs the cable: the running tracks end. */
  unplug(): void;
  /** The cable is put back. @param deviceId of another camera that is plugged in instead */
  plugIn(deviceId?: string): void;
  /** The phone is turned on its side, or back. */
  rotate(): void;
  /** A call takes the camera, or returns it. */
  mute(on: boolean): void;
  /** Device ids in the order in which they were opened. */
  opened: string[];
};

export function replaceCamera(setup: CameraSetup): void {
  // Pages without a secure origin have no cameras, and neither have frames of other documents.
  if (!('mediaDevices' in navigator)) return;
  const { mediaDevices, permissions } = navigator;
  // WebKit drops properties of an object without references.
  Object.defineProperty(window, '__replaced', { value: [mediaDevices, permissions] });
  const canvas = document.createElement('canvas');
  canvas.width = setup.width;
  canvas.height = setup.height;
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('no 2-D canvas');
  const tracks = new Set<MediaStreamTrack>();
  let clips: Map<string, Blob[]> | null = null;
  type Playing = { frames: Blob[]; index: number; isHeld: boolean; done: () => void };
  let playing: Playing | null = null;
  let idleTick = 0;
  let frozen = setup.frozen;
  let covered = false;
  let scene: CameraScene = 'plain';
  let shown: ImageBitmap | null = null;
  let shownAtS = 0;
  let timer: number | null = null;
  let interrupted = false;
  const opened: string[] = [];

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

  /** The part of every clip in which its gesture is at its peak. */
  const PEAK = { from: 0.45, to: 0.55 };

  /** Idle runs back and forth, so that it has no seam. */
  const nextFrame = (): Blob | undefined => {
    if (playing?.isHeld === true && playing.index >= PEAK.to * playing.frames.length) {
      playing.index = Math.round(PEAK.from * playing.frames.length);
    }
    if (playing && playing.index < playing.frames.length) return playing.frames[playing.index++];
    playing?.done();
    playing = null;
    const idle = clips?.get('idle') ?? [];
    const period = Math.max(1, 2 * (idle.length - 1));
    const phase = idleTick++ % period;
    return idle[Math.min(phase, period - phase)];
  };

  const between = (from: number, to: number) => from + (to - from) * Math.random();
  // People never return to the exact same place, nor stand quite still; the picture is enlarged to hide its edges.
  const stance = {
    zoom: between(1.06, 1.12),
    angle: between(-0.012, 0.012),
    x: between(-5, 5),
    y: between(-4, 4),
  };
  const place = (timeS: number) => {
    const sway = (share: number, periodS: number) =>
      share * Math.sin((2 * Math.PI * timeS) / periodS + 10 * stance.zoom);
    const zoom = stance.zoom + sway(0.004, 3.1);
    const angle = stance.angle + sway(0.004, 4.3);
    const [cos, sin] = [zoom * Math.cos(angle), zoom * Math.sin(angle)];
    const x = canvas.width / 2 + stance.x + sway(2.5, 2.3);
    const y = canvas.height / 2 + stance.y + sway(2, 3.7);
    drawing.setTransform(cos, sin, -sin, cos, x, y);
  };

  const NOISE_MARGIN_PX = 64;
  const noise = document.createElement('canvas');
  noise.width = setup.width + NOISE_MARGIN_PX;
  noise.height = setup.height + NOISE_MARGIN_PX;
  const drawNoise = () => {
    const grains = new ImageData(noise.width, noise.height);
    for (let at = 0; at < grains.data.length; at += 4) {
      const grain = Math.random() + Math.random() + Math.random() - 1.5;
      grains.data.fill(grain > 0 ? 255 : 0, at, at + 3);
      grains.data[at + 3] = Math.abs(grain) * 12;
    }
    noise.getContext('2d')?.putImageData(grains, 0, 0);
  };

  const drawScene = (picture: ImageBitmap) => {
    const { width, height } = setup;
    const drawAt = (x: number, y: number, scale: number) =>
      drawing.drawImage(picture, x, y, width * scale, height * scale);
    if (canvas.width !== width) {
      drawing.fillStyle = '#8a8a86';
      drawing.fillRect(0, 0, canvas.width, canvas.height);
    }
    if (scene === 'plain' || scene === 'dark') {
      place(shownAtS);
      drawAt(-width / 2, -height / 2, 1);
    } else {
      drawing.fillStyle = '#8a8a86';
      drawing.fillRect(0, 0, width, height);
      if (scene === 'crowd') for (const x of [0, width / 2]) drawAt(x, height / 4, 1 / 2);
      else drawAt(width / 3, height / 3, 1 / 3);
    }
    if (scene !== 'dark') return;
    drawing.resetTransform();
    drawing.fillStyle = 'rgb(0 0 0 / 0.8)';
    drawing.fillRect(0, 0, width, height);
  };

  /** The page's light reaches the face in front of it, and barely the room. */
  const drawPageLight = () => {
    const colour = document.documentElement.style.getPropertyValue('--page-light');
    const levels = (/^rgb\((\d+) (\d+) (\d+)\)$/.exec(colour)?.slice(1) ?? []).map(
      (value) => 1 + setup.pageLight * (Number(value) / 255) ** 2.2,
    );
    if (setup.pageLight === 0 || levels.length === 0) return;
    const most = Math.max(...levels);
    const dimmed = levels.map((level) => Math.round(255 * (level / most) ** (1 / 2.2)));
    const [x, y, reach] = [setup.width / 2, setup.height / 2, 0.45 * setup.height];
    const light = drawing.createRadialGradient(x, y, 0.7 * reach, x, y, reach);
    light.addColorStop(0, `rgb(${dimmed.join(' ')})`);
    light.addColorStop(1, 'white');
    drawing.globalCompositeOperation = 'multiply';
    drawing.fillStyle = light;
    drawing.fillRect(0, 0, setup.width, setup.height);
    drawing.globalCompositeOperation = 'source-over';
  };

  const whole = document.createElement('canvas');
  /** What a mirrored or turned camera makes of the picture, in the same frame. */
  const drawMounting = () => {
    const { mirrored, turnedDeg } = setup.mounting;
    if (!mirrored && turnedDeg === 0) return;
    const { width, height } = canvas;
    whole.width = width;
    whole.height = height;
    whole.getContext('2d')?.drawImage(canvas, 0, 0);
    drawing.fillStyle = '#8a8a86';
    drawing.fillRect(0, 0, width, height);
    drawing.translate(width / 2, height / 2);
    drawing.rotate((turnedDeg * Math.PI) / 180);
    if (mirrored) drawing.scale(-1, 1);
    drawing.drawImage(whole, -width / 2, -height / 2);
    drawing.resetTransform();
  };

  const tick = async () => {
    if (interrupted) return;
    const frame = frozen && shown ? undefined : nextFrame();
    if (frame) {
      const picture = await createImageBitmap(frame);
      shown?.close();
      shown = picture;
      shownAtS = performance.now() / 1000;
    }
    if (!shown) return;
    drawScene(shown);
    drawing.resetTransform();
    drawPageLight();
    // The sensor's noise, because two pictures even of a held still differ.
    drawing.drawImage(noise, -between(0, NOISE_MARGIN_PX), -between(0, NOISE_MARGIN_PX));
    drawMounting();
    if (!covered) return;
    drawing.fillStyle = 'black';
    drawing.fillRect(0, 0, setup.width, setup.height);
  };

  const start = async (clip: string, isHeld: boolean) => {
    await load();
    const frames = clips?.get(clip);
    if (!frames) throw new Error(`no clip ${clip}`);
    playing?.done();
    await new Promise<void>((done) => {
      playing = { frames, index: 0, isHeld, done };
    });
  };

  const camera: ScriptedCamera = {
    play: (clip) => start(clip, false),
    hold: (clip) => start(clip, true),
    release: () => {
      if (!playing) return;
      playing.isHeld = false;
      // Clips end as they begin: the return starts at the same progress of the gesture.
      playing.index = Math.max(playing.index, playing.frames.length - playing.index);
    },
    freeze: (on) => {
      frozen = on;
    },
    cover: (on) => {
      covered = on;
    },
    look: (at) => {
      scene = at;
    },
    unplug: () => {
      for (const track of tracks) {
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
      tracks.clear();
      setup.refuse = 'NotFoundError';
      mediaDevices.dispatchEvent(new Event('devicechange'));
    },
    rotate: () => {
      [canvas.width, canvas.height] = [canvas.height, canvas.width];
    },
    mute: (on) => {
      interrupted = on;
      for (const track of tracks) {
        Object.defineProperty(track, 'muted', { value: on, configurable: true });
        track.dispatchEvent(new Event(on ? 'mute' : 'unmute'));
      }
    },
    opened,
    wake: () => {
      setup.silent = null;
    },
    plugIn: (deviceId) => {
      setup.refuse = null;
      if (deviceId !== undefined) setup.devices = [{ deviceId, label: deviceId }];
      mediaDevices.dispatchEvent(new Event('devicechange'));
    },
  };
  Object.defineProperty(window, '__camera', { value: camera });

  mediaDevices.getUserMedia = async (constraints) => {
    if (setup.refuse !== null) throw new DOMException('scripted camera', setup.refuse);
    if (setup.silent === 'promise') return new Promise<MediaStream>(() => undefined);
    if (constraints?.video === undefined || constraints.video === false) {
      throw new DOMException('no microphone here', 'NotFoundError');
    }
    await load();
    if (!shown) drawNoise();
    await tick();
    timer ??= window.setInterval(() => void tick(), 1000 / setup.framesPerSecond);
    for (const track of tracks) if (track.readyState === 'ended') tracks.delete(track);
    const wanted = constraints.video === true ? undefined : constraints.video.deviceId;
    const exact = typeof wanted === 'object' && 'exact' in wanted ? wanted.exact : undefined;
    const device = setup.devices.find(({ deviceId }) => exact === undefined || deviceId === exact);
    if (!device) throw new DOMException('no such camera', 'OverconstrainedError');
    opened.push(device.deviceId);
    // A canvas without a context gives a stream without frames.
    const source = setup.silent === 'frames' ? document.createElement('canvas') : canvas;
    const stream = source.captureStream(30);
    for (const track of stream.getVideoTracks()) {
      tracks.add(track);
      const settings = () => ({ ...device, width: canvas.width, height: canvas.height });
      Object.defineProperties(track, { label: { value: device.label }, getSettings: { value: settings } });
    }
    return stream;
  };
  mediaDevices.enumerateDevices = async () => {
    if (setup.refuse === 'NotFoundError') return [];
    return setup.devices.map(({ deviceId, label }) => {
      const device = { deviceId, groupId: deviceId, kind: 'videoinput', label };
      return { ...device, toJSON: () => device } as MediaDeviceInfo;
    });
  };
  const query = permissions.query.bind(permissions);
  permissions.query = async (descriptor) => {
    if ((descriptor.name as string) !== 'camera') return query(descriptor);
    const status = new EventTarget() as PermissionStatus;
    const state = setup.refuse === 'NotAllowedError' ? 'denied' : 'granted';
    return Object.defineProperties(status, { state: { value: state }, name: { value: 'camera' } });
  };
}
