/** Barcodes that the scanner cannot read, recognised so that it can say so; only where the browser offers it. */

type Detector = { detect: (picture: HTMLCanvasElement) => Promise<readonly unknown[]> };
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats: () => Promise<readonly string[]>;
};

/** Codes of tickets and boarding passes. */
const FORMATS = ['pdf417', 'aztec', 'code_128', 'data_matrix'];

/** @returns a function of a picture: whether it shows such a barcode. Null if the browser cannot tell. */
export async function barcodeWatch(): Promise<((picture: HTMLCanvasElement) => Promise<boolean>) | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector === undefined) return null;
  try {
    const known = await BarcodeDetector.getSupportedFormats();
    const formats = FORMATS.filter((format) => known.includes(format));
    if (formats.length === 0) return null;
    const detector = new BarcodeDetector({ formats });
    return async (picture) => (await detector.detect(picture).catch(() => [])).length > 0;
  } catch {
    return null;
  }
}
