/**
 * Fetches the landmarker's large files into the browser's cache beforehand, so that the progress can be shown on a
 * slow network.
 */
import type { Landmarker } from './landmarker.ts';
import type { VisionAssets } from './protocol.ts';

/** Ratio of the WebAssembly's size to its gzipped transfer, which is what its length header states. */
const UNPACKED_RATIO = 3.4;

/** Without a byte for this long, the wire is cut: the landmarker fetches the file itself, and reports why it can't. */
const STALLED_AFTER_MS = 10_000;

type Download = {
  /** Also resolves if a file could not be fetched: the landmarker then reports the reason. */
  done: Promise<void>;
  /** 0 to 1 */
  fraction: () => number;
};

/** One file, read to its end and discarded. */
function download(url: string): Download {
  let fraction = 0;
  const read = async () => {
    const stalled = new AbortController();
    let timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
    const response = await fetch(url, { credentials: 'same-origin', signal: stalled.signal });
    const sentBytes = Number(response.headers.get('content-length') ?? 0);
    const isPacked = response.headers.get('content-encoding') !== null;
    const totalBytes = Math.max(1, isPacked ? sentBytes * UNPACKED_RATIO : sentBytes);
    const reader = response.body?.getReader();
    let bytes = 0;
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
      bytes += chunk.value.length;
      fraction = Math.min(1, bytes / totalBytes);
    }
    clearTimeout(timer);
  };
  const done = read().catch(() => undefined);
  return { done: done.then(() => void (fraction = 1)), fraction: () => fraction };
}

/**
 * A landmarker that is created once its files are loaded.
 * @param create creates it from the cached files
 */
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
  // The page was left, so nobody is waiting.
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
