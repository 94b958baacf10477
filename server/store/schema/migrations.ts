import { initial } from './0001-initial.ts';
import { generationsAndWebhooks } from './0002-generations-and-webhooks.ts';
import { consoleTables } from './0003-console.ts';
import { matching } from './0004-matching.ts';
import { webhookHealth } from './0006-webhook-health.ts';
import { reviews } from './0007-reviews.ts';
import { venue } from './0014-venue.ts';
import { keysWebhooksUsage } from './0008-keys-webhooks-usage.ts';
import { peopleAndSessions } from './0009-people-and-sessions.ts';
import { personIndexes } from './0015-person-indexes.ts';
import { eventFigures } from './0017-event-figures.ts';
import { attackDefence } from './0018-attack-defence.ts';
import { clock } from './0020-clock.ts';
import { limits } from './0022-limits.ts';
import { accounts } from './0023-accounts.ts';
import { erasureAndReplay } from './0024-erasure-and-replay.ts';
import { embedOrigins } from './0019-embed-origins.ts';
import { continuations } from './0026-continuations.ts';
import { checkingLease } from './0027-checking-lease.ts';
import { kioskKeys } from './0028-kiosk-keys.ts';
import { nodes } from './0029-nodes.ts';
import { auditChains } from './0030-audit-chains.ts';
import { captureNonces } from './0031-capture-nonces.ts';
import { nodeAddresses } from './0032-node-addresses.ts';
import { sealedTemplates } from './0033-sealed-templates.ts';
import { eventColours } from './0034-event-colours.ts';
import { reviewAssignment } from './0035-review-assignment.ts';
import { eventPictures } from './0036-event-pictures.ts';
import { seenSignatures } from './0037-seen-signatures.ts';
import { faceRows } from './0038-face-rows.ts';
import { guestPhotos } from './0039-guest-photos.ts';
import { handoffTries } from './0021-handoff-tries.ts';
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
];

/** The schema version of this Gatehouse. */
export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.version ?? 0;
