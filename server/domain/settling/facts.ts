/** Input and output of settling (decisions §5). */
import type { BlockAction } from '../../contract/console/blocks.ts';
import type { ReviewReason } from '../../contract/console/reviews.ts';
import type { ResolvedConfig } from '../companies/verification-config.ts';
import type { Generation } from '../../contract/operations.ts';
import type { Identity } from '../identity.ts';
import type { Reason } from './reasons.ts';

export type LivenessOutcome =
  /** `isDoubtful`: passed, but needs a review (`live/judgement.ts`). */
  | { passed: true; isDoubtful?: boolean }
  | { passed: false; selfMismatch: boolean; spoofSuspected: boolean; attemptsLeftAfter: number };

/** The run that is about to settle. */
export type Run = {
  nowMs: number;
  verificationId: string;
  generation: Generation;
  group: string | null;
  includeGroups: readonly string[];
  /** v3: `external_id`; v2: `external_id`; v1: `reference_user_id`. */
  externalId: string | null;
  /** Credential that the customer sent or the person verified. */
  identity: Identity | null;
  declined: boolean;
  /** Null if no check was made (declined, or known before the capture). */
  liveness: LivenessOutcome | null;
  /** A paired kiosk signed the stills that were judged. */
  isTrusted: boolean;
  /** At a kiosk through which guests leave: nobody is let in, and a face that is not known is not kept. */
  isWayOut?: boolean;
  config: Pick<ResolvedConfig, 'collisionAction' | 'limit' | 'skipWindowMs' | 'captureTrust'>;
};

export type PassFact = {
  id: string;
  verificationId: string;
  /** Namespace of `externalId`. */
  generation: Generation;
  group: string | null;
  status: 'approved' | 'denied';
  reasons: readonly Reason[];
  externalId: string | null;
  identity: Identity | null;
  settledAt: number;
  lockedAt: number | null;
  /**
   * The person disconnected. The pass no longer vouches for them or causes collisions, but still counts as
   * usage.
   */
  revokedAt: number | null;
};

/** `externalIds` come from v3 only. Those of v1 and v2 name an account within a pool, not a person. */
export type PersonFact = {
  id: string;
  externalIds: readonly string[];
  passes: readonly PassFact[];
  /** The organiser's block, also one that has expired; left out if there is none. */
  block?: { action: BlockAction; expiresAt: number };
};

export type Facts = {
  /**
   * The person the face belongs to, by the same-person rule. Before a capture, the owner of the credential that was
   * sent.
   */
  person: PersonFact | null;
  /** Other people whose face is near. */
  near: readonly PersonFact[];
  /** Others whose face is the same, too, and whom no reviewer has told apart from the person; left out without a search. */
  alsoSame?: readonly PersonFact[];
  /** Owner of the run's credential and of its external ID, in the scope. */
  identityOwnerId: string | null;
  externalIdOwnerId: string | null;
  /** The scope has reached its daily cap. */
  capReached: boolean;
};

export type Outcome =
  | { kind: 'skip'; passId: string }
  | { kind: 'retry' }
  | {
      kind: 'settle';
      status: 'approved' | 'denied';
      reasons: Reason[];
      groups: string[];
      declined: boolean;
      /** Counts against the daily cap. */
      metered: boolean;
    }
  | { kind: 'review'; reasons: ReviewReason[]; groups: string[]; suspectIds: string[] };
