/** Rows for tests of the store and the services, with default values except for those that a test sets. */
import type { Scope } from '../../server/domain/scope.ts';
import { EMPTY_REQUEST } from '../../server/domain/runs/session-request.ts';
import { type Company, insertCompany } from '../../server/store/companies/companies.ts';
import { insertPass, type Pass } from '../../server/store/passes/passes.ts';
import { insertPerson } from '../../server/store/people/people.ts';
import type { Database } from '../../server/store/sql/port.ts';
import { insertSession, type Session } from '../../server/store/runs/sessions.ts';
import type { SessionRequest } from '../../server/domain/runs/session-request.ts';
import { insertVerification, type Verification } from '../../server/store/companies/verifications.ts';
import type { VenueEvent } from '../../server/store/venue/events.ts';
import type { NewKiosk } from '../../server/store/venue/kiosks.ts';

export const NOW = Date.UTC(2030, 4, 15, 12);
const HOUR_MS = 3_600_000;

function company(id: string, overrides: Partial<Company> = {}): Company {
  return { id, name: id, dailyLimit: 66_000, createdAt: NOW, ...overrides };
}

export function verification(
  companyId: string,
  id: string,
  overrides: Partial<Verification> = {},
): Verification {
  return {
    id,
    companyId,
    externalId: null,
    externalTenantId: null,
    origin: null,
    returnPath: null,
    startPath: null,
    redirectUrl: null,
    assetId: null,
    embedOrigins: [],
    config: {},
    isDefault: false,
    createdAt: NOW,
    updatedAt: NOW,
    ...overrides,
  };
}

/** A kiosk without an event that waits for its pairing code, valid for ten minutes from `at`. */
export function kiosk(
  companyId: string,
  id: string,
  { at = NOW, ...overrides }: Partial<NewKiosk> & Pick<NewKiosk, 'codeHash'>,
): NewKiosk {
  return { id, companyId, name: 'North gate', eventId: null, codeExpiresAt: at + 600_000, at, ...overrides };
}

/** A running event without a limit, in a group named like it. */
export function venueEvent(
  scope: Scope,
  verificationId: string,
  id: string,
  overrides: Partial<VenueEvent> = {},
): VenueEvent {
  return {
    id,
    scope,
    name: 'Night run',
    verificationId,
    group: id,
    limit: { kind: 'none', max: 1 },
    startsAt: NOW - HOUR_MS,
    endsAt: NOW + 8 * HOUR_MS,
    languages: ['en'],
    words: {},
    colour: null,
    guestPhotoDays: null,
    fastLane: false,
    badge: null,
    badgeWidthMm: 90,
    badgeHeightMm: 55,
    faces: 'organiser',
    facesDays: 1,
    logoId: null,
    picture: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...overrides,
  };
}

export function session(
  scope: Scope,
  verificationId: string,
  id: string,
  { request, ...overrides }: Partial<Omit<Session, 'request'>> & { request?: Partial<SessionRequest> } = {},
): Session {
  return {
    id,
    scope,
    verificationId,
    keyId: null,
    inviteId: null,
    state: 'open',
    request: { ...EMPTY_REQUEST, ...request },
    attemptsLeft: 3,
    findings: [],
    flowTokenHash: null,
    resumeKeyHash: null,
    provenPhone: null,
    device: null,
    consentAt: null,
    photoUntil: null,
    retentionDays: null,
    passId: null,
    settledAt: null,
    createdAt: NOW,
    expiresAt: NOW + 24 * 3_600_000,
    unopenedSince: null,
    generation: 'v3',
    connectUserId: null,
    lockedPhone: null,
    directTokenHash: null,
    directTokenUsedAt: null,
    statusTokenHash: null,
    statusTokenAt: null,
    checkingNonce: null,
    checkingUntil: null,
    ...overrides,
  };
}

export function pass(verificationId: string, id: string, overrides: Partial<Pass> = {}): Pass {
  return {
    id,
    sessionId: null,
    verificationId,
    personId: null,
    status: 'approved',
    reasons: [],
    groups: [],
    group: null,
    declined: false,
    externalId: null,
    identity: null,
    score: null,
    settledAt: NOW,
    lockedAt: null,
    revokedAt: null,
    generation: 'v3',
    ...overrides,
  };
}

/** A company with its default verification, `v-<id>`. */
export async function seedCompany(db: Database, id: string): Promise<void> {
  await db.tx(async (tx) => {
    await insertCompany(tx, company(id));
    await insertVerification(tx, verification(id, `v-${id}`, { isDefault: true }));
  });
}

export async function seedSession(db: Database, seeded: Session): Promise<Session> {
  await db.tx((tx) => insertSession(tx, seeded));
  return seeded;
}

export async function seedPass(db: Database, scope: Scope, seeded: Pass): Promise<Pass> {
  await db.tx((tx) => insertPass(tx, scope, seeded));
  return seeded;
}

export async function seedPerson(db: Database, scope: Scope, id: string): Promise<string> {
  await db.tx((tx) => insertPerson(tx, scope, id, NOW));
  return id;
}
