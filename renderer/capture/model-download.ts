/** Fetches the landmarker's large files into the browser's cache ahead of it, so that a slow network can be told how far it is. */
import type { Landmarker } from './landmarker.ts';
import type { VisionAssets } from './protocol.ts';

/** How much longer the WebAssembly is than its gzipped transfer, which is all that its length header tells. */
const UNPACKED_RATIO = 3.4;

type Download = {
  /** Also resolves where a file could not be fetched: the landmarker then says why. */
  done: Promise<void>;
  /** 0 to 1 */
  fraction: () => number;
};

/** One file, read to its end and thrown away. */
function download(url: string): Download {
  let fraction = 0;
  const read = async () => {
    const response = await fetch(url, { credentials: 'same-origin' });
    const sentBytes = Number(response.headers.get('content-length') ?? 0);
    const isPacked = response.headers.get('content-encoding') !== null;
    const totalBytes = Math.max(1, isPacked ? sentBytes * UNPACKED_RATIO : sentBytes);
    const reader = response.body?.getReader();
    let bytes = 0;
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      bytes += chunk.value.length;
      fraction = Math.min(1, bytes / totalBytes);
    }
  };
  const done = read().catch(() => undefined);
  return { done: done.then(() => void (fraction = 1)), fraction: () => fraction };
}

/** A landmarker that `create` makes once its files are there. @param create makes it out of the cached files */
export function createDownloadedLandmarker(
  { binaryUrl, modelUrl }: VisionAssets,
  create: () => Landmarker,
): Landmarker {
  const files = [binaryUrl, modelUrl].map(download);
  let present: Landmarker | null = null;
  let isClosed = false;
  const made = () => {
    if (present === null) throw new Error('not loaded');
    return present;
  };
  const ready = Promise.all(files.map(({ done }) => done)).then(() => {
    if (isClosed) throw new Error('closed');
    present = create();
    return present.ready;
  });
  // A page that was left has nobody who waits for it.
  ready.catch(() => undefined);
  return {
    ready,
    loaded: () => files.reduce((sum, { fraction }) => sum + fraction(), 0) / files.length,
    look: (...frame) => made().look(...frame),
    encode: (frameId) => made().encode(frameId),
    forget: () => present?.forget(),
    close() {
      isClosed = true;
      present?.close();
    },
  };
}
