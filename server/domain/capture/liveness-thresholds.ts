/**
 * Every number of the liveness verdict, with its unit and reason. Measured on rendered heads of five people with the bundled
 * models; real people vary more, so each lies well below what a gesture reaches and well above what other gestures and
 * tilted photographs reach.
 */
const degrees = (value: number): number => (value * Math.PI) / 180;

/** Change against the person's own neutral at which a step counts as done. */
export const STEP_MARKS = {
  /** Radians of yaw. A 25° turn reads as 16° to 27°, a photograph tilted by 30° as at most 6°; less shows little relief. */
  turnRad: degrees(15),
  /** Radians of pitch. A 17° lift reads as 13° to 18°; a photograph tilted by 25° as at most 4.5°. */
  lookUpRad: degrees(6),
  /** Share of the neutral eye aspect that remains. Closed lids read as 0.57 to 0.76, any other step as 0.89 or more. */
  blinkShare: 0.82,
  /**
   * Growth of the mouth's width plus rise of its corners, in interocular distances. A smile reads as 0.14 to 0.30, other
   * steps toward the camera as at most 0.04, but for one open mouth that the landmark model took for a laugh (0.08).
   */
  smileSpread: 0.095,
  /**
   * Growth of the gap between the lips, in interocular distances. An open mouth reads as 0.16 to 0.50 (0.11 for that
   * same mouth), other steps toward the camera as at most 0.03, a tilted photograph as at most 0.05.
   */
  mouthGap: 0.075,
  /** Growth of the interocular distance, as a factor. Coming closer by 40 % reads as 1.37 to 1.42. */
  closerFactor: 1.18,
} as const;

/**
 * What a step must leave alone, so that no face does two at once. A hearty grin of a real man read as smile, blink and
 * open mouth alike; it is a smile. An open mouth must not reach the smile's mark.
 */
export const EXCLUSIVE = {
  /** Growth of the mouth's spread and gap, in interocular distances, up to which lids that close are a blink. */
  blinkMouthSpread: 0.075,
  blinkMouthGap: 0.06,
  /** Share of the neutral eye aspect that a smile leaves at least: smiling narrows the eyes, but does not close them. */
  smileEyesOpen: 0.55,
} as const;

/** How far a face may turn from its neutral while it does a step that is made toward the camera. */
export const FACING = {
  /** Radians: beyond this the eye and mouth measures are foreshortened. */
  yawRad: degrees(11),
  pitchRad: degrees(11),
} as const;

/** What a neutral is. */
export const NEUTRAL = {
  /** Frames with a face: two tell stillness from chance, the page sends three. */
  minFrames: 2,
  /** Radians. The pose fit carries an offset of a few degrees a person; a head that starts turned could come back to the front as its "turn". */
  maxYawRad: degrees(17),
  /** Radians between neutral frames: more is a head on the move. */
  maxYawSpreadRad: degrees(8),
} as const;

/** Frames of a step: the page sends two at its peak; one may be lost to a blink of the camera. */
export const MIN_FRAMES_PER_STEP = 1;

/** Cosines between embeddings of one capture. */
export const SAME_FACE = {
  /** Frame that faces the camera, against the mean of the neutral ones: one person 0.82 or more, strangers 0.36 or less. */
  facing: 0.5,
  /** Turned or lifted head: one person 0.75 or more in nineteen of twenty frames, 0.33 where the landmarks lie badly. */
  turned: 0.38,
  /** A frame counts into the probe from here: pose and expression cost more than one frame gains. */
  probe: 0.8,
} as const;

/**
 * A head turned further than this hides much of what it is known by: the same man fell below `SAME_FACE.turned` in 14 of
 * 16 frames at 50° to 70°. Such a frame shows no turn, and is left out where the step's other frame is recognised and close
 * to it.
 */
export const TURNED_AWAY = {
  yawRad: degrees(35),
  /** Milliseconds between the two frames. */
  maxBetweenMs: 700,
  /** Overlap of the two face boxes (intersection over union). */
  minOverlap: 0.4,
} as const;

/** The attack model is asked on faces that it can judge: on turned heads and in the dark it takes people for pictures. */
export const FOR_ATTACK_MODEL = {
  /** Radians of yaw from the camera's axis. */
  maxYawRad: degrees(17),
  /** Mean luminance of the face, 0 to 255. */
  minBrightness: 60,
} as const;

/** Radians, from neutral and of yaw from the camera's axis: beyond this a frame misses more matches (yaw > 0.2 triples the false non-match rate). */
export const PROBE_POSE_RAD = 0.2;

/** Frames of a second view of the face. */
export const SECOND_VIEW = {
  /** Radians of yaw against the neutral, and from the camera's axis. */
  fromRad: degrees(10),
  toRad: degrees(35),
  /** Cosine to the mean of the neutral frames: strangers reach 0.36. */
  sameFace: 0.6,
} as const;

/** Light and sharpness. Luminance 0 to 255. */
export const PICTURE = {
  /** Mean of the face: below, embeddings drift and the attack model fails genuine faces. Low enough for very dark skin in indoor light. */
  minBrightness: 36,
  /** Mean of the face: above, cheeks and forehead are burnt out. */
  maxBrightness: 228,
  /** Standard deviation on the face: fog, or a lamp behind the head. */
  minContrast: 9,
  /** Variance of the Laplacian on the aligned face. Soft photos read as 73 or more, out of focus by 4 px as 16 to 30. */
  minSharpness: 24,
  /** Pixels between the eyes: the aligned face has 35, less is guesswork. */
  minInterocularPx: 40,
} as const;

/** Where each quality is as good as it gets; between the bound above and this it counts in proportion. */
export const GOOD_PICTURE = {
  brightness: { from: 70, to: 190 },
  contrast: 22,
  sharpness: 90,
  interocularPx: 70,
} as const;

/** Stills. Landmark distances are root mean squares over the 68 points, in interocular distances. */
export const STILLS = {
  /** Bits of 256 in which the hashes of a still and its re-encoding differ. */
  maxSameBits: 1,
  /** One picture photographed or encoded twice reads as 0.001 to 0.004; a living head sways by 0.01 within a second. */
  maxSameShift: 0.004,
  /** Greatest shift in a whole capture below which nothing moved at all, over several seconds. */
  minMotion: 0.01,
  /** Share of frames known from earlier captures (see `frame-signature.ts`) that makes a replay: re-encoded ones 0.67 or more, one person again before the same wall at most 0.22. */
  replayShare: 0.6,
} as const;

/** A photograph that is tilted. */
export const ATTACK = {
  /**
   * A turn step in which the face grows this much narrower for its height, while the nose hardly turns, is a tilted
   * picture: one tilted by 30° narrows by 7 % to 15 % and reads as at most 6° of yaw.
   */
  planeShrink: 0.93,
  planeYawRad: degrees(7.5),
  /** Nodding and opening the mouth change a face's height too; beyond these nothing is concluded. */
  planePitchRad: degrees(6),
  planeMouthGap: 0.06,
} as const;
