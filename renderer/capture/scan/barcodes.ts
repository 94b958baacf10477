/** Codes of wallets and printed passes that are no QR codes: Aztec, PDF417 and Code 128. Loaded with the scanner, read by ZXing. */
import { prepareZXingModule, readBarcodes, type ReaderOptions, ZXING_WASM_SHA256 } from 'zxing-wasm/reader';

/** The hosted page and the kiosk share one copy, beside the landmarker's files. */
const WASM_URL = `${import.meta.env.BASE_URL}vision/zxing_reader.wasm`;

const OPTIONS: ReaderOptions = { formats: ['Aztec', 'PDF417', 'Code128'], maxNumberOfSymbols: 4 };
/** Lines of a picture can look like a Code 128 of a few letters; no ticket is that short. */
const FEWEST_CHARACTERS = 4;

/** On a silent wire it never arrives. */
const ARRIVES_WITHIN_MS = 30_000;

export type ReadBarcodes = (picture: ImageData) => Promise<string[]>;

let loading: Promise<ReadBarcodes> | null = null;

/** Once for a page. @throws TypeError or `TimeoutError` if the decoder's file does not arrive, or is not the one of the package */
export function loadBarcodes(): Promise<ReadBarcodes> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<ReadBarcodes> {
  const digest = ZXING_WASM_SHA256.match(/../g)?.map((byte) => String.fromCharCode(parseInt(byte, 16))) ?? [];
  const response = await fetch(WASM_URL, {
    integrity: `sha256-${btoa(digest.join(''))}`,
    signal: AbortSignal.timeout(ARRIVES_WITHIN_MS),
  });
  if (!response.ok) throw new TypeError('The decoder did not arrive.');
  const wasmBinary = await response.arrayBuffer();
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async (picture) => {
    const found = await readBarcodes(picture, OPTIONS);
    return found.map(({ text }) => text).filter(({ length }) => length >= FEWEST_CHARACTERS);
  };
}
