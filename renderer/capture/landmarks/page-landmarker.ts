/** The landmarker on the page's own thread and canvas, for browsers whose workers have no WebGL. */
import { createLandmarkEngine } from './landmark-engine.ts';
import type { Landmarker, VisionAssets } from './protocol.ts';

export function createPageLandmarker(assets: VisionAssets): Landmarker {
  const loading = createLandmarkEngine(assets, document.createElement('canvas'));
  const ready = loading.then(() => undefined);
  ready.catch(() => undefined);
  return {
    ready,
    look: async (...frame) => (await loading).look(...frame),
    async encode(frameId) {
      const jpeg = await (await loading).encode(frameId);
      if (jpeg === null) throw new Error('no frame');
      return jpeg;
    },
    forget: () =>
      void loading.then(
        ({ forget }) => forget(),
        () => undefined,
      ),
    close: () =>
      void loading.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}
