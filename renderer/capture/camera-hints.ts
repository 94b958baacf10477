/** What the page can tell of its camera: hints for the risk score, proof of nothing. Names of devices stay here. */

export type CameraHints = { virtual: boolean; changed: boolean };

/** Words in the names of programs that stand in for a camera. */
const VIRTUAL =
  /\b(virtual|obs|manycam|xsplit|splitcam|droidcam|iriun|snap camera|mmhmm|ndi|loopback|dummy|fake)\b/i;

export const looksVirtual = (label: string): boolean => VIRTUAL.test(label);

/** The same for a phone that was turned, which swaps width and height. */
const sizeOf = (settings: MediaTrackSettings | undefined): string =>
  [settings?.width ?? 0, settings?.height ?? 0].toSorted((a, b) => a - b).join();

type Track = Pick<MediaStreamTrack, 'label' | 'getSettings'>;

/**
 * @param track the camera as it was opened
 * @returns what to say of it when the capture is over
 */
export function watchCamera(track: Track | undefined): () => CameraHints {
  const before = track?.getSettings();
  return () => {
    const after = track?.getSettings();
    const same = before?.deviceId === after?.deviceId && sizeOf(before) === sizeOf(after);
    return { virtual: looksVirtual(track?.label ?? ''), changed: !same };
  };
}
