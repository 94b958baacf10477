/** The worker that analyses frames: off the main thread, so that the preview never stutters. */
import { createLandmarkEngine, type LandmarkEngine } from './landmark-engine.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

const say = (message: FromWorker) => self.postMessage(message);
let engine: LandmarkEngine | null = null;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const failed = (error: unknown) => say({ type: 'failed', reason: String(error) });
  switch (data.type) {
    case 'load':
      createLandmarkEngine(data.assets, new OffscreenCanvas(1, 1), data.program).then((created) => {
        engine = created;
        say({ type: 'ready', program: created.program });
      }, failed);
      break;
    case 'look':
      try {
        const observation = engine?.look(data.frameId, data.atMs, data.bitmap);
        if (observation) say({ type: 'seen', observation });
      } catch (error) {
        failed(error);
      }
      break;
    case 'encode':
      (engine?.encode(data.frameId) ?? Promise.resolve(null)).then(
        (jpeg) => say({ type: 'encoded', frameId: data.frameId, jpeg }),
        failed,
      );
      break;
    case 'forget':
      engine?.forget();
      break;
  }
};
