/** The oval to put one's face in, and the ring around it that fills as the capture goes on. */
export type OvalTone = 'idle' | 'look' | 'good';

/** Half axes in the drawing's units; the drawing is 300 × 400. */
const OVAL = { cx: 150, cy: 200, rx: 112, ry: 152 } as const;
const RING_GAP = 9;

export function Oval({ fraction, tone }: { fraction: number; tone: OvalTone }) {
  const ring = { cx: OVAL.cx, cy: OVAL.cy, rx: OVAL.rx + RING_GAP, ry: OVAL.ry + RING_GAP };
  const { cx, cy, rx, ry } = ring;
  // Drawn as a path from the top, so that it fills clockwise from there.
  const path = `M${cx} ${cy - ry}A${rx} ${ry} 0 0 1 ${cx} ${cy + ry}A${rx} ${ry} 0 0 1 ${cx} ${cy - ry}`;
  return (
    <svg className={`oval oval--${tone}`} viewBox="0 0 300 400" aria-hidden="true">
      <path
        className="oval__scrim"
        fillRule="evenodd"
        d={`M-900 -900H1200V1300H-900ZM${OVAL.cx - OVAL.rx} ${OVAL.cy}a${OVAL.rx} ${OVAL.ry} 0 1 0 ${OVAL.rx * 2} 0a${OVAL.rx} ${OVAL.ry} 0 1 0 ${-OVAL.rx * 2} 0Z`}
      />
      <path className="oval__track" d={path} pathLength="100" />
      <path className="oval__ring" d={path} pathLength="100" strokeDasharray={`${fraction * 100} 100`} />
    </svg>
  );
}
