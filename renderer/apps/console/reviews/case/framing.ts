/** Shows two faces at the same size, place and angle, in units of a square of 100 by 100. */
import type { ReviewFraming } from '../../../../../server/contract/console/reviews.ts';

export const SQUARE = 100;
const EYES_AT = { x: 50, y: 42 } as const;
const BETWEEN_EYES = 25;
const MAX_ZOOM = 4;
export const ZOOM_STEP = 1.4;

/** The visible part of the square; `x` and `y` are its centre. */
export type View = { zoom: number; x: number; y: number };
export const WHOLE: View = { zoom: 1, x: SQUARE / 2, y: SQUARE / 2 };

/** SVG transform that brings a picture, drawn in its own pixels, into the square. @param fill see `fillOf` */
export function transformOf(framing: ReviewFraming, fill: number): string {
  const { eyes_x, eyes_y, roll_rad } = framing;
  const scale = scaleOf(framing) * fill;
  const uprightDeg = (-roll_rad * 180) / Math.PI;
  return [
    `translate(${EYES_AT.x} ${EYES_AT.y})`,
    `scale(${scale})`,
    `rotate(${uprightDeg})`,
    `translate(${-eyes_x} ${-eyes_y})`,
  ].join(' ');
}

const scaleOf = ({ interocular_px }: ReviewFraming): number => BETWEEN_EYES / Math.max(1, interocular_px);

/** A face is not enlarged further to hide the edge of its picture. */
const MAX_FILL = 1.5;

/** How much all pictures are enlarged so that none leaves a part of the square empty: 1 to `MAX_FILL`. */
export function fillOf(framings: readonly ReviewFraming[]): number {
  return Math.min(MAX_FILL, Math.max(1, ...framings.map(neededFill)));
}

function neededFill(framing: ReviewFraming): number {
  const { width, height, eyes_x, eyes_y, roll_rad } = framing;
  const scale = scaleOf(framing);
  const [cos, sin] = [Math.cos(roll_rad), Math.sin(roll_rad)];
  const corners = [0, SQUARE].flatMap((x) => [0, SQUARE].map((y) => [x - EYES_AT.x, y - EYES_AT.y] as const));
  return Math.max(
    ...corners.flatMap(([x, y]) => [
      neededAlong((x * cos - y * sin) / scale, eyes_x, width),
      neededAlong((x * sin + y * cos) / scale, eyes_y, height),
    ]),
  );
}

/** Along one axis of the picture: from the eyes to a corner of the square, in the picture's pixels. */
const neededAlong = (offset: number, eyes: number, size: number): number =>
  offset > 0 ? offset / Math.max(1, size - eyes) : -offset / Math.max(1, eyes);

export function viewBoxOf({ zoom, x, y }: View): string {
  const size = SQUARE / zoom;
  return `${x - size / 2} ${y - size / 2} ${size} ${size}`;
}

/** Keeps the view inside the square and within the zoom limits. */
export function within({ zoom, x, y }: View): View {
  const bounded = Math.min(MAX_ZOOM, Math.max(1, zoom));
  const half = SQUARE / bounded / 2;
  const inside = (at: number): number => Math.min(SQUARE - half, Math.max(half, at));
  return { zoom: bounded, x: inside(x), y: inside(y) };
}

/** Zooms in by `factor`, toward the eyes if the whole face was visible. */
export function zoomed(view: View, factor: number): View {
  const from = view.zoom === 1 ? { ...view, y: EYES_AT.y } : view;
  return within({ ...from, zoom: view.zoom * factor });
}
