/** What initialize asked for, and the states of a session that are stored. */
import type { SessionState } from '../../contract/flow.ts';
import type { Identity } from '../identity.ts';

export type Metadata = Record<string, string | number | boolean>;

/** `checking` is temporary and belongs to this process; a crash must not leave a session in it. */
export type StoredSessionState = Exclude<SessionState, 'checking'>;

/** The request of initialize; never changes afterwards. */
export type SessionRequest = {
  origin: string | null;
  returnPath: string | null;
  startPath: string | null;
  redirectUrl: string | null;
  passParams: Record<string, string> | null;
  autoReturn: boolean | null;
  /** Replaces the verification's config for this run (test keys). */
  config: Record<string, unknown> | null;
  externalId: string | null;
  group: string | null;
  includeGroups: string[];
  identity: Identity | null;
  metadata: Metadata | null;
};

/** The request of a run without a backend: a verification's own link. */
export const EMPTY_REQUEST: SessionRequest = {
  origin: null,
  returnPath: null,
  startPath: null,
  redirectUrl: null,
  passParams: null,
  autoReturn: null,
  config: null,
  externalId: null,
  group: null,
  includeGroups: [],
  identity: null,
  metadata: null,
};
