/** Two faces at one size, one place and one angle, whatever their pictures are: in units of a square of 100 by 100. */
import type { ReviewFraming } from '../../../../server/contract/console/reviews.ts';

export const SQUARE = 100;
const EYES_AT = { x: 50, y: 42 } as const;
const BETWEEN_EYES = 25;
const MAX_ZOOM = 4;
export const ZOOM_STEP = 1.4;

/** What part of the square is seen; `x` and `y` are its middle. */
export type View = { zoom: number; x: number; y: number };
export const WHOLE: View = { zoom: 1, x: SQUARE / 2, y: SQUARE / 2 };

/** SVG transform that brings a picture, drawn in its own pixels, into the square. */
export function transformOf({ eyes_x, eyes_y, interocular_px, roll_rad }: ReviewFraming): string {
  const scale = BETWEEN_EYES / Math.max(1, interocular_px);
  const uprightDeg = (-roll_rad * 180) / Math.PI;
  return [
    `translate(${EYES_AT.x} ${EYES_AT.y})`,
    `scale(${scale})`,
    `rotate(${uprightDeg})`,
    `translate(${-eyes_x} ${-eyes_y})`,
  ].join(' ');
}

export function viewBoxOf({ zoom, x, y }: View): string {
  const size = SQUARE / zoom;
  return `${x - size / 2} ${y - size / 2} ${size} ${size}`;
}

/** Keeps the view inside the square and between whole and close. */
export function within({ zoom, x, y }: View): View {
  const bounded = Math.min(MAX_ZOOM, Math.max(1, zoom));
  const half = SQUARE / bounded / 2;
  const inside = (at: number): number => Math.min(SQUARE - half, Math.max(half, at));
  return { zoom: bounded, x: inside(x), y: inside(y) };
}

/** Closer by `factor`, toward the eyes where the view was whole. */
export function zoomed(view: View, factor: number): View {
  const from = view.zoom === 1 ? { ...view, y: EYES_AT.y } : view;
  return within({ ...from, zoom: view.zoom * factor });
}
