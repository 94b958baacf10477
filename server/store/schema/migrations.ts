import { initial } from './0001-initial.ts';
import { generationsAndWebhooks } from './0002-generations-and-webhooks.ts';
import { consoleTables } from './0003-console.ts';
import { keysWebhooksUsage, matching, reviews, webhookHealth } from './0004-to-0008.ts';
import { peopleAndSessions } from './0009-people-and-sessions.ts';
import { eventFigures, personIndexes, venue } from './0014-to-0017.ts';
import { accounts, attackDefence, clock, embedOrigins, handoffTries, limits } from './0018-to-0023.ts';
import {
  auditChains,
  captureNonces,
  checkingLease,
  continuations,
  erasureAndReplay,
  kioskKeys,
  nodes,
} from './0024-to-0031.ts';
import {
  agreedRetention,
  eventColours,
  eventPictures,
  faceRows,
  guestPhotos,
  nodeAddresses,
  pageLight,
  reviewAssignment,
  sealedTemplates,
  seenSignatures,
} from './0032-to-0041.ts';
import { givenIdentities } from './0042-given-identities.ts';
import { nodeKeys } from './0043-node-keys.ts';
import { stepOrder } from './0044-step-order.ts';
import { idempotencyKeys } from './0045-idempotency-keys.ts';
import { v3Webhooks } from './0046-v3-webhooks.ts';
import { slowCaptures } from './0047-slow-captures.ts';
import { reviewOpinions } from './0048-review-opinions.ts';
import { personBlocks } from './0049-person-blocks.ts';
import { keyNames } from './0050-key-names.ts';
import { tickets } from './0051-tickets.ts';
import { passkeys } from './0052-passkeys.ts';
import { reviewControls } from './0053-review-controls.ts';
import { seenFaces } from './0054-seen-faces.ts';
import { peopleImports } from './0055-people-imports.ts';
import { singleSignOn } from './0056-single-sign-on.ts';
import { requestLog } from './0057-request-log.ts';
import { testClock } from './0059-test-clock.ts';
import { badges } from './0066-badges.ts';
import { wayOut } from './0067-way-out.ts';
import { fastLane } from './0060-fast-lane.ts';
import { humanCodes } from './0061-human-codes.ts';
import { facesOfEvents } from './0062-faces-of-events.ts';
import { backupsOfFaces } from './0064-backups-of-faces.ts';
import { refusedScans } from './0065-refused-scans.ts';
import type { Migration } from './migration.ts';

/** In order. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  generationsAndWebhooks,
  consoleTables,
  matching,
  webhookHealth,
  reviews,
  keysWebhooksUsage,
  peopleAndSessions,
  venue,
  personIndexes,
  eventFigures,
  attackDefence,
  embedOrigins,
  clock,
  handoffTries,
  limits,
  accounts,
  erasureAndReplay,
  continuations,
  checkingLease,
  kioskKeys,
  nodes,
  auditChains,
  captureNonces,
  nodeAddresses,
  sealedTemplates,
  eventColours,
  reviewAssignment,
  eventPictures,
  seenSignatures,
  faceRows,
  guestPhotos,
  agreedRetention,
  pageLight,
  givenIdentities,
  nodeKeys,
  stepOrder,
  idempotencyKeys,
  v3Webhooks,
  slowCaptures,
  reviewOpinions,
  personBlocks,
  keyNames,
  tickets,
  passkeys,
  reviewControls,
  seenFaces,
  peopleImports,
  singleSignOn,
  requestLog,
  testClock,
  fastLane,
  humanCodes,
  facesOfEvents,
  backupsOfFaces,
  refusedScans,
  badges,
  wayOut,
];

/** The schema version of this Gatehouse. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;
