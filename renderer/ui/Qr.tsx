/** A QR code as one SVG path, drawn here so that no link leaves the page. Dark on light in every theme: scanners ask for it. */
import { useMemo } from 'react';
import { create } from 'qrcode';

/** Modules of quiet zone that the standard asks for on each side. */
const QUIET = 4;

export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text]);
  const side = size + 2 * QUIET;
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} rx="2" className="qr__ground" />
      <path d={path} className="qr__modules" />
    </svg>
  );
}

function drawingOf(text: string): { size: number; path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  const runs: string[] = [];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (data[y * size + x] === 0) continue;
      let width = 1;
      while (x + width < size && data[y * size + x + width] !== 0) width += 1;
      runs.push(`M${x + QUIET} ${y + QUIET}h${width}v1h-${width}z`);
      x += width;
    }
  }
  return { size, path: runs.join('') };
}
