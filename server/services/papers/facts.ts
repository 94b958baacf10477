/** Gathers what the privacy papers are written from. */
import { MOST_BLOCK_DAYS } from '../../contract/console/blocks.ts';
import { resolveConfig } from '../../domain/companies/verification-config.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import { expectedFalseCandidates } from '../../domain/matching/false-matches.ts';
import { type PaperFacts, type Recipient, RECIPIENT_KINDS, upperBound } from '../../domain/papers/facts.ts';
import type { Scope } from '../../domain/scope.ts';
import { notFound } from '../../refusals/refusal.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { pageVerifications, type Verification } from '../../store/companies/verifications.ts';
import { listKeys } from '../../store/keys/keys.ts';
import { countEnrolled } from '../../store/matching/templates.ts';
import { hasBlocks } from '../../store/people/blocks.ts';
import { listControlPictures } from '../../store/reviews/controls.ts';
import { countHumanCodes } from '../../store/tickets/human-codes.ts';
import { keepsCodes } from '../../domain/tickets/ticket.ts';
import { listSources } from '../../store/tickets/sources.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import { listEvents, type VenueEvent } from '../../store/venue/events.ts';
import { listKiosks } from '../../store/venue/kiosks.ts';
import { listWebhookConfigs } from '../../store/webhooks/configs.ts';
import { readBackupSettings } from '../backup/automatic.ts';
import { recoveryMadeAt } from '../backup/recovery-setting.ts';
import type { BackupService } from '../backup/service.ts';
import { readPrivacyContact } from '../companies/details.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { readVenueZones } from '../companies/zones.ts';
import { keyState } from '../keys/keys.ts';
import { matchThresholds } from '../matching/identification.ts';
import { readOidcSetting } from '../operators/oidc-setting.ts';
import { listOperatorRecords } from '../operators/records.ts';
import { faceDaysIn, readRetention } from '../people/retention-settings.ts';
import { WEBHOOK_CALL_KEPT_DAYS } from '../people/retention-due.ts';
import { TEST_DATA_AGE_DAYS } from '../people/test-data.ts';
import { type SmsSetting, smsNow } from '../phone/sms-settings.ts';
import type { Ports } from '../ports/ports.ts';

/** What the environment and the data folder say. */
export type PaperSources = {
  /** Of the database, unless it is on this machine, and of the receivers of the audit log. */
  recipients: readonly Recipient[];
  hasRecordings: () => Promise<boolean>;
};

export type FactDeps = Pick<
  Ports,
  'db' | 'clock' | 'faces' | 'baseUrl' | 'isConsoleOpen' | 'keyKind' | 'remembersFaces'
> & { backups: BackupService; sms: SmsSetting; papers: PaperSources };

/** A paper has no use for more. */
const MOST_EVENTS = 30;
const MOST_VERIFICATIONS = 500;
const MOST_OF_A_KIND = 100;
const IN_USE: readonly string[] = ['active', 'ending'];

/** @throws Refusal `not_found` */
export async function readFacts(deps: FactDeps, scope: Scope): Promise<PaperFacts> {
  const { db, clock, faces, baseUrl, isConsoleOpen, keyKind, remembersFaces = false, papers } = deps;
  const { companyId, partition } = scope;
  const now = clock.now();
  const company = await findCompany(db, companyId);
  if (!company) throw notFound();
  const events = await listEvents(db, scope, null, MOST_EVENTS + 1);
  const withTickets = await Promise.all(
    events.slice(0, MOST_EVENTS).map((event) => readTickets(deps, event)),
  );
  const retention = await readRetention(db);
  const url = baseUrl();
  const guests = upperBound(await countEnrolled(db, scope, faces.embeddingModel));
  const thresholds = await matchThresholds(db, faces, guests);
  const { items: verifications } = await pageVerifications(db, companyId, MOST_VERIFICATIONS, 0);
  return {
    organiser: company.name,
    contact: await readPrivacyContact(db, companyId),
    zone: (await readVenueZones(db))[companyId] ?? null,
    languages: (await readLanguageOffer(db)).offered,
    events: withTickets.map(({ facts }) => facts),
    hasEarlierEvents: events.length > MOST_EVENTS,
    keys: await countKeysInUse(deps, scope),
    verifications: countVerifications(verifications),
    guests,
    matching: {
      expectedNear: expectedFalseCandidates(guests, thresholds.near),
      expectedSame: expectedFalseCandidates(guests, thresholds.same),
    },
    hasBlocks: await hasBlocks(db, scope),
    hasControls: (await listControlPictures(db, now)).length > 0,
    hasRecordings: await papers.hasRecordings(),
    operators: await countOperators(deps, companyId),
    days: {
      faces: faceDaysIn(retention, partition),
      casePictures: retention.caseFramesDays,
      unfinished: retention.abandonedRunDays,
      calls: WEBHOOK_CALL_KEPT_DAYS,
      blocks: MOST_BLOCK_DAYS,
      test: TEST_DATA_AGE_DAYS,
    },
    remembersFaces,
    ...listed([
      ...(await readRecipients(deps, scope, verifications)),
      ...withTickets.flatMap(({ hosts }) => hosts.map((host): Recipient => ({ kind: 'tickets', host }))),
      ...papers.recipients,
    ]),
    engine: db.engine,
    keyKind,
    backups: await backupFacts(deps),
    network: { url, isLoopback: isLoopbackUrl(url), isConsoleOpen: isConsoleOpen() },
    kiosks: (await listKiosks(db, companyId)).filter(
      (kiosk) => kiosk.hasKey === 1 && kiosk.revokedAt === null,
    ).length,
  };
}

async function readTickets({ db }: FactDeps, event: VenueEvent) {
  const { scope, id, name, startsAt, endsAt, faces, facesDays, fastLane, guestPhotoDays: photoDays } = event;
  const sources = await listSources(db, scope, id);
  const { keepDays } = await findTicketRules(db, scope, id);
  const ticketDays = sources.length === 0 ? null : keepDays;
  const codeDays = (await countHumanCodes(db, scope, id)).length === 0 ? null : keepDays;
  return {
    facts: {
      ...{ id, name, startsAt, endsAt, faces, facesDays, codeDays, fastLane, photoDays, ticketDays },
      keepsCodes: sources.some(({ kind }) => keepsCodes(kind)),
    },
    // Where pretix and Hi.Events are reached; other kinds have neither.
    hosts: sources.flatMap(({ config }) => hostsOf([config['url'], config['api']])),
  };
}

/** As runs of v3 take them. */
function countVerifications(verifications: readonly Verification[]): PaperFacts['verifications'] {
  const configs = verifications.map(({ config }) => resolveConfig(config, 'v3'));
  return {
    count: configs.length,
    kioskOnly: configs.filter(({ captureTrust }) => captureTrust === 'kiosk').length,
    strict: configs.filter(({ challenge }) => challenge === 'strict').length,
    reviewed: configs.filter(({ collisionAction }) => collisionAction === 'review').length,
  };
}

async function countKeysInUse({ db, clock }: FactDeps, { companyId, partition }: Scope): Promise<number> {
  const keys = await listKeys(db, companyId);
  const used = keys.filter(
    (key) =>
      key.partition === partition && key.lastUsedAt !== null && IN_USE.includes(keyState(key, clock.now())),
  );
  return new Set(used.map(({ pairId }) => pairId)).size;
}

async function countOperators(deps: FactDeps, companyId: string): Promise<PaperFacts['operators']> {
  const operators = (await listOperatorRecords(deps)).filter(
    ({ disabled_at, company_ids }) => disabled_at === null && (company_ids?.includes(companyId) ?? true),
  );
  const of = (role: string) => operators.filter((operator) => operator.role === role).length;
  return {
    admins: of('admin'),
    reviewers: of('reviewer'),
    staff: of('staff'),
    protected: operators.filter(({ has_second_factor, passkeys }) => has_second_factor || passkeys > 0)
      .length,
  };
}

async function backupFacts({ db, backups }: FactDeps): Promise<PaperFacts['backups']> {
  const { isOn, keep } = await readBackupSettings(db);
  const hasPhrase = (await recoveryMadeAt(db)) !== null;
  return { isOn, keep, folder: await backups.folder(), hasPhrase };
}

async function readRecipients(
  { db, sms }: FactDeps,
  scope: Scope,
  verifications: readonly Verification[],
): Promise<Recipient[]> {
  const of = (kind: Recipient['kind'], addresses: readonly unknown[]): Recipient[] =>
    hostsOf(addresses).map((host) => ({ kind, host }));
  const webhooks = await listWebhookConfigs(db, scope, null);
  const { setting } = await smsNow(db, sms);
  const provider = await readOidcSetting(db);
  return [
    ...of(
      'webhook',
      webhooks.filter(({ disabledAt }) => disabledAt === null).map((config) => config.destinationUrl),
    ),
    ...of(
      'site',
      verifications.flatMap(({ origin, redirectUrl, embedOrigins }) => [
        origin,
        redirectUrl,
        ...embedOrigins,
      ]),
    ),
    ...of('sms', [
      setting.sender === 'http' ? setting.url : setting.sender === 'twilio' ? setting.apiUrl : null,
    ]),
    ...of('provider', provider.enabled ? [provider.issuer] : []),
  ];
}

/** Only hosts: addresses can carry keys. */
const hostsOf = (addresses: readonly unknown[]): string[] =>
  addresses.flatMap((address) =>
    typeof address === 'string' && URL.canParse(address) ? [new URL(address).hostname] : [],
  );

/** Each once, by kind and name, so that the same settings give the same paper. */
function listed(recipients: readonly Recipient[]): Pick<PaperFacts, 'recipients' | 'hasMoreRecipients'> {
  const byKind = RECIPIENT_KINDS.map((kind) => {
    const hosts = recipients.filter((each) => each.kind === kind).map(({ host }) => host);
    return [...new Set(hosts)].sort().map((host) => ({ kind, host }));
  });
  return {
    recipients: byKind.flatMap((each) => each.slice(0, MOST_OF_A_KIND)),
    hasMoreRecipients: byKind.some((each) => each.length > MOST_OF_A_KIND),
  };
}
