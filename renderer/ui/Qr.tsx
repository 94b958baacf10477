/**
 * A QR code as one SVG path, drawn in the page so that its link is not sent anywhere. Dark on light in every theme,
 * for scanners.
 */
import { useMemo } from 'react';
import { encodeQR } from 'qr';

/** Modules of quiet zone that the standard requires on each side. */
const QUIET = 4;

export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} rx="2" className="qr__ground" />
      <path d={path} className="qr__modules" />
    </svg>
  );
}

function drawingOf(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: rows.length, path: path.join('') };
}
