import type { DemoPhoto } from './sources.ts';

/** One person of a demo photo: clean, near-frontal, eyes open, nothing in front of the face. */
export type Person = {
  readonly name: string;
  readonly photo: DemoPhoto;
  /** Middle of the face in the photo, in its pixels. */
  readonly face: { readonly x: number; readonly y: number };
  /** Height of the crop in the photo's pixels; about 1.9 times the face's height. */
  readonly cropHeight: number;
  /** Factor on luminance for photos that were taken in the dark. */
  readonly brighten: number;
};

/** Blonde curls, warm light; faces the camera. */
export const personA: Person = {
  name: 'personA',
  photo: 'sample3.jpg',
  face: { x: 664, y: 500 },
  cropHeight: 480,
  brighten: 1,
};

/** Dark hair, shoulder raised, daylight; head bowed a little. */
export const personB: Person = {
  name: 'personB',
  photo: 'sample6.jpg',
  face: { x: 1275, y: 490 },
  cropHeight: 480,
  brighten: 1,
};

/** Long brown hair, lips apart; a dark stairwell, brightened. */
const personC: Person = {
  name: 'personC',
  photo: 'sample5.jpg',
  face: { x: 490, y: 1030 },
  cropHeight: 530,
  brighten: 1.6,
};

/** Dark hair, earrings, daylight; turned a little to her right. */
const personD: Person = {
  name: 'personD',
  photo: 'sample6.jpg',
  face: { x: 1555, y: 450 },
  cropHeight: 500,
  brighten: 1,
};

/**
 * Hair tied up, soft focus, strong light from one side. Similar to personC for the embedding model (cosine about 0.5),
 * so use others if two people must be clearly different.
 */
const personE: Person = {
  name: 'personE',
  photo: 'sample5.jpg',
  face: { x: 880, y: 240 },
  cropHeight: 400,
  brighten: 1,
};

export const PEOPLE = [personA, personB, personC, personD, personE] as const;
