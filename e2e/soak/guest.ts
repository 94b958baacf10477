/** The guests of the soak, drawn from a seeded generator. */
import type { Random } from '../../testing/camera/capture/random.ts';

const GUEST_KINDS = ['v3_face', 'v3_twice', 'v3_camera', 'v3_no_show', 'v2', 'v1'] as const;
type GuestKind = (typeof GUEST_KINDS)[number];

export type Guest = {
  kind: GuestKind;
  /** Unique in the whole soak: the organiser's ID, the test face, the pool of a real face. */
  name: string;
  /** A test number of their own. */
  phone: string;
  /** Whether the organiser locks the pass after reading it. */
  isLocked: boolean;
};

/** Of 100 guests. Each capture with real frames keeps both cores of a small machine busy for seconds. */
const SHARES: Record<GuestKind, number> = {
  v3_face: 36,
  v3_twice: 10,
  v3_camera: 12,
  v3_no_show: 10,
  v2: 18,
  v1: 14,
};
const PHONE_DIGITS = 7;
const FIRST_PHONE = 10 ** (PHONE_DIGITS - 1);

export function drawGuest(random: Random, number: number, hasCamera: boolean): Guest {
  const kind = drawKind(random.between(0, 100));
  const isLocked = random.between(0, 2) < 1;
  return {
    kind: kind === 'v3_camera' && !hasCamera ? 'v3_face' : kind,
    name: `guest-${number}`,
    phone: `+99901${FIRST_PHONE + number}`,
    // Locking one account would change what is reported of the other.
    isLocked: isLocked && kind !== 'v3_twice',
  };
}

function drawKind(drawn: number): GuestKind {
  let upTo = 0;
  for (const kind of GUEST_KINDS) {
    upTo += SHARES[kind];
    if (drawn < upTo) return kind;
  }
  return 'v3_face';
}
