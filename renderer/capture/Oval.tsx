/** The oval for the face, with the ring that shows progress. Its styles are in `capture.css`. */

export type OvalTone = 'idle' | 'look' | 'good';

/** Semi-axes in the drawing's units; the camera's picture is 300 × 400 of them. */
const OVAL = { cx: 150, cy: 200, rx: 112, ry: 152 } as const;
const RING_GAP = 9;

/**
 * The visible part of the camera's picture, cut so that the ring nearly touches the stage's edges.
 * @param fraction of the ring that is filled, 0 to 1
 */
export function Oval({ fraction, tone }: { fraction: number; tone: OvalTone }) {
  const ring = { cx: OVAL.cx, cy: OVAL.cy, rx: OVAL.rx + RING_GAP, ry: OVAL.ry + RING_GAP };
  const { cx, cy, rx, ry } = ring;
  // Drawn as a path from the top, so that it fills clockwise from there.
  const path = `M${cx} ${cy - ry}A${rx} ${ry} 0 0 1 ${cx} ${cy + ry}A${rx} ${ry} 0 0 1 ${cx} ${cy - ry}`;
  return (
    <svg className={`oval oval--${tone}`} viewBox="24 34 252 332" aria-hidden="true">
      <path
        className="oval__scrim"
        fillRule="evenodd"
        d={`M-900 -900H1200V1300H-900ZM${OVAL.cx - OVAL.rx} ${OVAL.cy}a${OVAL.rx} ${OVAL.ry} 0 1 0 ${OVAL.rx * 2} 0a${OVAL.rx} ${OVAL.ry} 0 1 0 ${-OVAL.rx * 2} 0Z`}
      />
      <ellipse className="oval__light" cx={OVAL.cx} cy={OVAL.cy} rx={OVAL.rx} ry={OVAL.ry} />
      <path className="oval__track" d={path} pathLength="100" />
      <path className="oval__ring" d={path} pathLength="100" strokeDasharray={`${fraction * 100} 100`} />
    </svg>
  );
}
