/**
 * Every number of the liveness verdict, with its unit and reason. Measured on rendered heads of five people
 * with the bundled models. Real people vary more, so each threshold is well below what a gesture reaches and
 * well above what other gestures and tilted photographs reach.
 */
const degrees = (value: number): number => (value * Math.PI) / 180;

/** Change from the person's own neutral at which a step counts as done. */
export const STEP_MARKS = {
  /**
   * Radians of yaw. A 25° turn measures 16° to 27°, a photograph tilted by 30° at most 6°. Less shows little
   * relief.
   */
  turnRad: degrees(15),
  /** Radians of pitch. A 17° lift measures 13° to 18°, a photograph tilted by 25° at most 4.5°. */
  lookUpRad: degrees(6),
  /**
   * Radians of pitch while smiling, which takes off a few degrees: a lift of 13° to 21° measures 6° to 17° then, a smile alone
   * at most 1°. A photograph that measures more does not smile.
   */
  liftSmilingRad: degrees(4),
  /**
   * Remaining share of the neutral eye aspect. Closed lids measure 0.57 to 0.76, any other step 0.89 or more.
   */
  blinkShare: 0.82,
  /**
   * Growth of the mouth's width plus rise of its corners, in interocular distances. A smile measures 0.14 to
   * 0.30, other frontal steps at most 0.04, except for one open mouth that the landmark model took for a laugh
   * (0.08).
   */
  smileSpread: 0.095,
  /**
   * Growth of the gap between the lips, in interocular distances. An open mouth measures 0.16 to 0.50 (0.11 for
   * that same mouth), other frontal steps at most 0.03, a tilted photograph at most 0.05.
   */
  mouthGap: 0.075,
  /** Growth of the interocular distance, as a factor. Coming closer by 40 % measures 1.37 to 1.42. */
  closerFactor: 1.18,
} as const;

/**
 * Limits on what else a step may change, so that no face does two at once. One real man's hearty grin measured
 * as smile, blink and open mouth at once; it must count as a smile. An open mouth must not reach the smile's
 * threshold.
 */
export const EXCLUSIVE = {
  /**
   * Growth of the mouth's spread and gap, in interocular distances, up to which closed lids count as a blink.
   */
  blinkMouthSpread: 0.075,
  blinkMouthGap: 0.06,
  /**
   * Minimum share of the neutral eye aspect during a smile: smiling narrows the eyes, but does not close them.
   */
  smileEyesOpen: 0.55,
} as const;

/** How far a face may turn from its neutral during a frontal step. */
export const FACING = {
  /** Radians. Beyond this, eye and mouth measures are foreshortened. */
  yawRad: degrees(11),
  pitchRad: degrees(11),
} as const;

/** Requirements for a neutral face. */
export const NEUTRAL = {
  /** Frames with a face. Two distinguish stillness from chance; the page sends three. */
  minFrames: 2,
  /**
   * Radians. The pose fit has an offset of a few degrees per person. A head that starts turned could pass by
   * returning to the front.
   */
  maxYawRad: degrees(17),
  /** Radians between neutral frames. More means that the head is moving. */
  maxYawSpreadRad: degrees(8),
} as const;

/** Frames of a step. The page sends two at its peak; one may be bad. */
export const MIN_FRAMES_PER_STEP = 1;

/** Cosines between embeddings of one capture. */
export const SAME_FACE = {
  /**
   * Frontal frame against the mean of the neutral ones: the same person reaches 0.82 or more, different people
   * 0.36 or less.
   */
  facing: 0.5,
  /**
   * Turned or lifted head: the same person reaches 0.75 or more in 19 of 20 frames, 0.33 if the landmarks are
   * bad.
   */
  turned: 0.38,
  /**
   * From here a frame is averaged into the probe. Below, pose and expression cost more than the frame gains.
   */
  probe: 0.8,
} as const;

/**
 * A head turned or lifted further than this hides many of its features: the same man fell below `SAME_FACE.turned` in 14
 * of 16 frames at 50° to 70° of yaw, and of five of seven people 26 of 71 frames beyond 30° of pitch did, none of 251 below.
 * Such a frame does not show a step, and is left out if the step's other frame is recognised and close to it.
 */
export const TURNED_AWAY = {
  yawRad: degrees(35),
  pitchRad: degrees(30),
  /** Milliseconds between the two frames. */
  maxBetweenMs: 700,
  /** Overlap of the two face boxes (intersection over union). */
  minOverlap: 0.4,
} as const;

/** The attack model runs only on faces that it can judge: it takes turned heads and dark faces for pictures. */
export const FOR_ATTACK_MODEL = {
  /** Radians of yaw from the camera's axis. */
  maxYawRad: degrees(17),
  /** Mean luminance of the face, 0 to 255. */
  minBrightness: 60,
} as const;

/**
 * Radians, from the neutral and of yaw from the camera's axis. Beyond this a frame misses more matches (yaw >
 * 0.2 triples the false non-match rate).
 */
export const PROBE_POSE_RAD = 0.2;

/** Frames of a further view of the face. */
export const FURTHER_VIEW = {
  /** Radians of yaw or pitch from the neutral. */
  fromRad: degrees(10),
  /** Cosine to the mean of the neutral frames. Different people reach 0.36. */
  sameFace: 0.6,
} as const;

/** Light and sharpness. Luminance 0 to 255. */
export const PICTURE = {
  /**
   * Mean of the face. Below, embeddings drift and the attack model fails genuine faces. Low enough for very
   * dark skin in indoor light.
   */
  minBrightness: 36,
  /** Mean of the face. Above, cheeks and forehead are overexposed. */
  maxBrightness: 228,
  /** Standard deviation on the face. Lower with fog, or a lamp behind the head. */
  minContrast: 9,
  /**
   * Variance of the Laplacian on the aligned face, at the usual contrast or more. Soft photos measure 73 or more,
   * photos 4 px out of focus 16 to 30.
   */
  minSharpness: 24,
  /** Pixels between the eyes. The aligned face has 35; less is guesswork. */
  minInterocularPx: 40,
} as const;

/** Standard deviation on a face in ordinary light. Below it, sharpness is judged in proportion. */
export const USUAL_CONTRAST = 32;

/** Where each quality reaches its best. Between the limit above and this value it rises linearly. */
export const GOOD_PICTURE = {
  brightness: { from: 70, to: 190 },
  contrast: 22,
  sharpness: 90,
  interocularPx: 70,
} as const;

/** Stills. Landmark distances are root mean squares over the 68 points, in interocular distances. */
export const STILLS = {
  /** Differing bits of 256 between the hashes of a still and its re-encoding. */
  maxSameBits: 1,
  /**
   * One picture photographed or encoded twice measures 0.001 to 0.004; a living head sways by 0.01 within a
   * second.
   */
  maxSameShift: 0.004,
  /** Greatest shift in a whole capture of several seconds, below which nothing moved. */
  minMotion: 0.01,
  /**
   * Share of the frames, and of the resting ones alone, known from earlier captures (see `frame-signature.ts`) that makes a
   * replay. Of re-encoded resting stills 0.96 or more are known. Of four stills of one person on the same spot, at least
   * one was known in 18 % of 240 captures, two in 2.5 %, three in none: a single one proves nothing.
   */
  replayShare: 0.6,
} as const;

/** A photograph that is tilted. */
export const ATTACK = {
  /**
   * A turn step in which the face becomes this much narrower for its height, while the nose barely turns, shows
   * a tilted picture. A picture tilted by 30° narrows by 7 % to 15 % and measures at most 6° of yaw.
   */
  planeShrink: 0.93,
  planeYawRad: degrees(7.5),
  /**
   * Nodding and opening the mouth also change a face's height. Beyond these limits the check does not apply.
   */
  planePitchRad: degrees(6),
  planeMouthGap: 0.06,
} as const;
