/** Settings of the installation, for admins: `/console/api/settings/…`; maintenance: `/console/api/maintenance`. */
import { type Static, Type } from 'typebox';
import { BACKUP_ERRORS, type BackupErrorCode } from './errors.ts';
import { LanguageOffer } from '../languages.ts';
import { ReasonText, Version, withVersion } from './common.ts';
import { nullable, nullableText, oneOf } from '../schemas.ts';

const days = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description });

/** In days. `GET /settings/retention`. */
export const RetentionDays = Type.Object({
  case_frames: days('Pictures of a case stay so long after its decision.'),
  template_inactive: days('Faces of people who have not come back for so long are forgotten.'),
  abandoned_run: days('What an abandoned run carried about its person stays so long.'),
});
export type RetentionDays = Static<typeof RetentionDays>;
const Bounds = Type.Object({ min: Type.Integer(), max: Type.Integer() });
/** `PUT /settings/retention`: fields left out stay unchanged. */
export const RetentionChange = Type.Object({ ...Type.Partial(RetentionDays).properties, ...withVersion });
export type RetentionChange = Static<typeof RetentionChange>;
export const RetentionSettings = Type.Object({
  version: Version,
  days: RetentionDays,
  bounds: Type.Object({ case_frames: Bounds, template_inactive: Bounds, abandoned_run: Bounds }),
});
export type RetentionSettings = Static<typeof RetentionSettings>;

const oidcFields = {
  enabled: Type.Boolean(),
  label: Type.String({ maxLength: 60, description: 'What operators know the provider as.' }),
  issuer: Type.String({ maxLength: 500, description: 'Its address, as in its discovery document.' }),
  client_id: Type.String({ maxLength: 300 }),
  scope: Type.String({ maxLength: 300, description: 'Separated by spaces; contains `openid`.' }),
  groups_claim: Type.String({ maxLength: 100, description: 'The claim that lists the groups.' }),
  admin_groups: Type.String({
    maxLength: 1_000,
    description: 'Separated by commas; a name with a comma in double quotes.',
  }),
  reviewer_groups: Type.String({
    maxLength: 1_000,
    description: 'Separated by commas; a name with a comma in double quotes.',
  }),
  staff_groups: Type.String({
    maxLength: 1_000,
    description: 'Separated by commas; a name with a comma in double quotes.',
  }),
};
/** `GET /settings/oidc`. Never returns the secret. */
export const OidcSettings = Type.Object({ version: Version, ...oidcFields, has_secret: Type.Boolean() });
export type OidcSettings = Static<typeof OidcSettings>;
/** `PUT /settings/oidc`. What is left out stays unchanged. */
export const OidcChange = Type.Object({
  ...withVersion,
  ...Type.Partial(Type.Object(oidcFields)).properties,
  secret: Type.Optional(Type.String({ maxLength: 500 })),
});
export type OidcChange = Static<typeof OidcChange>;

export const SMS_SENDERS = ['operator', 'http', 'twilio'] as const;
/** `GET /settings/sms`. Never returns secrets. */
export const SmsSettings = Type.Object({
  version: Version,
  sender: oneOf(SMS_SENDERS),
  source: oneOf(['environment', 'settings'], { description: 'The environment overrides the settings.' }),
  gateway_host: nullable(
    'For `http`: host of the gateway. The full address may contain a key and is not shown.',
  ),
  account_sid: nullable('For `twilio`.'),
  from: nullable('For `twilio`.'),
});
export type SmsSettings = Static<typeof SmsSettings>;
/** `PUT /settings/sms`. A secret that is left out stays unchanged, provided that the sender does. */
export const SmsChange = Type.Object({
  ...withVersion,
  sender: Type.Optional(oneOf(SMS_SENDERS)),
  url: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2_000, description: 'With `{to}` and `{text}`.' }),
  ),
  account_sid: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  auth_token: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  from: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
});
export type SmsChange = Static<typeof SmsChange>;
/** `POST /settings/sms/test`. */
export const SmsTest = Type.Object({ number: Type.String({ minLength: 1, maxLength: 40 }) });

const allowed = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description });
/** `GET /settings/limits`: the limits of use without a key. */
export const LimitSettings = Type.Object({
  version: Version,
  own_codes_per_day: allowed('Codes for people’s own pages (`/my`), per UTC day.'),
  own_codes_today: Type.Integer({ description: 'Codes requested today.' }),
  sessions_per_hour: allowed(
    'Sessions that one address may start per hour without a secret key: by a link, an invite or a live publishable key.',
  ),
  bounds: Type.Object({ own_codes_per_day: Bounds, sessions_per_hour: Bounds }),
});
export type LimitSettings = Static<typeof LimitSettings>;
/** `PUT /settings/limits`: fields left out stay unchanged. */
export const LimitChange = Type.Object({
  ...withVersion,
  own_codes_per_day: Type.Optional(LimitSettings.properties.own_codes_per_day),
  sessions_per_hour: Type.Optional(LimitSettings.properties.sessions_per_hour),
});
export type LimitChange = Static<typeof LimitChange>;

/** `GET /settings/network`. `PUT /settings/webhook-hosts` takes `hosts` and returns this. */
export const NetworkSettings = Type.Object({
  base_url: Type.String({ description: 'Address for guests and integrations.' }),
  console_url: Type.String(),
  is_loopback: Type.Boolean({ description: 'Only this machine can reach the service.' }),
  webhook_hosts: Type.Array(Type.String()),
  version: Version,
  webhook_hosts_of_environment: Type.Array(Type.String()),
});
export type NetworkSettings = Static<typeof NetworkSettings>;
/** `GET|PUT /settings/lan`: access from other machines of the venue's network. */
export const LanChange = Type.Object({
  ...withVersion,
  is_on: Type.Optional(
    Type.Boolean({ description: 'Phones, kiosks and integrations reach the service over HTTPS.' }),
  ),
  is_console_open: Type.Optional(
    Type.Boolean({ description: 'The console is reachable as well; needs `is_on`.' }),
  ),
});
export type LanChange = Static<typeof LanChange>;
export const LanSettings = Type.Object({
  version: Version,
  is_on: Type.Boolean(),
  is_console_open: Type.Boolean(),
  kiosks: Type.Integer({
    description: 'Kiosks of all companies that report now, on this machine or another.',
  }),
  is_forced: Type.Boolean({ description: 'Turned on by the command line or the environment.' }),
  origins: Type.Array(Type.String(), {
    description: 'Addresses of the service on the network; links use the first.',
  }),
  console_origin: nullable('Address of the console for other machines, while it is open.'),
  trust_url: nullable('Address of the trust page, over plain HTTP.'),
  fingerprint: nullable('SHA-256 fingerprint of the installation’s authority, for people to compare.'),
  expires_at: nullable('Expiry of the server’s certificate, which is renewed a month earlier.'),
  failure: Type.Union([oneOf(['port_in_use', 'no_network', 'failed']), Type.Null()], {
    description: 'Why it cannot be reached although it is turned on.',
  }),
});
export type LanSettings = Static<typeof LanSettings>;
export const WebhookHosts = Type.Object({
  hosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100 }),
  version: Version,
});
export const WebhookHostsChange = Type.Object({ hosts: WebhookHosts.properties.hosts, ...withVersion });
export type WebhookHosts = Static<typeof WebhookHosts>;

/** `GET|PUT /settings/languages`: the languages offered to guests, on every page and kiosk. */
export const LanguageSettings = Type.Object({ ...LanguageOffer.properties, version: Version });
export type LanguageSettings = Static<typeof LanguageSettings>;
export const LanguageChange = Type.Object({ ...Type.Partial(LanguageOffer).properties, ...withVersion });
export type LanguageChange = Static<typeof LanguageChange>;

/** `PUT /settings/zone?company_id=`: the time zone of the company’s venue, in which the console shows times. */
export const VenueZone = Type.Object({
  zone: nullableText(64, 'IANA name; null for that of the operator’s computer.'),
  ...withVersion,
});

/** `PUT /settings/company?company_id=`: fields left out stay unchanged. */
export const CompanyChange = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })),
  privacy_contact: Type.Optional(
    nullableText(200, 'Whom guests ask about their data: an address, a number, a place.'),
  ),
  ...withVersion,
});
export const CompanyDetails = Type.Object({
  name: Type.String(),
  privacy_contact: nullable('Whom guests ask about their data.'),
});

const Threshold = Type.Object({
  cosine: Type.Number(),
  expected_false: Type.Number({
    description: 'Expected false matches per search, at the current number of people.',
  }),
  is_measured: Type.Boolean({ description: 'Whether the rate was measured at this cosine.' }),
});
/** `GET /settings/matching?company_id=&partition=`. */
export const MatchingSettings = Type.Object({
  version: Version,
  model: Type.String(),
  enrolled: Type.Integer(),
  older_templates: Type.Integer({ description: 'Created by earlier models and no longer compared.' }),
  near: Threshold,
  same: Threshold,
  standout_in_force: Type.Boolean(),
  standout_from: Type.Integer(),
  is_measured: Type.Boolean({
    description: 'Whether the thresholds were measured at this number of people.',
  }),
  margin: Type.Number({
    description: 'Margin that an admin added to both thresholds. 0 uses the measured thresholds.',
  }),
  margin_min: Type.Number(),
  margin_max: Type.Number(),
  second_opinion_below: Type.Number({
    description: 'A case with a lower similarity needs a second reviewer; 0 if none does.',
  }),
});
export type MatchingSettings = Static<typeof MatchingSettings>;
/** `PUT /settings/matching`: applies to every company, from the next check on. */
export const MatchingChange = Type.Object({
  margin: Type.Optional(Type.Number()),
  second_opinion_below: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  reason: ReasonText,
  ...withVersion,
});
export type MatchingChange = Static<typeof MatchingChange>;

/** Nightly backups that an installation can keep. */
export const MAX_BACKUPS_KEPT = 365;

export const BackupSettings = Type.Object({
  is_on: Type.Boolean({ description: 'A backup is made every night.' }),
  folder: nullableText(4_096, 'Null for the folder of the installation.'),
  keep: Type.Integer({ minimum: 1, maximum: MAX_BACKUPS_KEPT }),
});
export const BackupFile = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  made_at: Type.String(),
});
export type BackupFile = Static<typeof BackupFile>;
/** Why the last backup or restore from the console failed; null if it did not. */
export const BackupFailure = Type.Unsafe<BackupErrorCode | null>({
  type: ['string', 'null'],
  enum: [...BACKUP_ERRORS, null],
});

/** Nothing is restored until `POST /settings/backups/restore/confirm`. */
export const RestoreQuestion = Type.Object({
  proof: oneOf(['phrase', 'none'], {
    description: '`phrase`: made with another database key. `none`: not signed, so anybody may have made it.',
  }),
  admins: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'Admins of the restored data.',
  }),
  disabled: Type.Object(
    { operators: Type.Integer(), keys: Type.Integer(), kiosks: Type.Integer() },
    { description: 'Those that the present data never had, and that come back disabled.' },
  ),
  code: Type.String({ description: 'Confirms these admins.' }),
});
export type RestoreQuestion = Static<typeof RestoreQuestion>;

/** `PUT /settings/backups`: fields left out stay unchanged. */
export const BackupChange = Type.Object({ ...Type.Partial(BackupSettings).properties, ...withVersion });
export type BackupChange = Static<typeof BackupChange>;
/** `GET /settings/backups`. `PUT` takes `BackupChange`; `POST` starts a backup. All return this. */
export const BackupState = Type.Object({
  engine: oneOf(['sqlite', 'postgres'], { description: 'On PostgreSQL, only its own tools make backups.' }),
  settings: BackupSettings,
  version: Version,
  folder: Type.String({ description: 'Folder of the backups.' }),
  files: Type.Array(BackupFile, { description: 'The latest, newest first.' }),
  restore_command: nullable(
    'Restores the newest of them into this data folder, on the command line. Null for an installed app, which has none.',
  ),
  start_command: nullable(
    'Starts the service again after a restore, on the command line; null if whatever runs it does so.',
  ),
  data_folder: Type.String({ description: 'Folder of the database.' }),
  replaced: Type.Array(
    Type.Object({ folder: Type.String(), replaced_at: Type.String(), bytes: Type.Integer() }),
    { description: 'Data that restores replaced, newest first; deleted after seven days.' },
  ),
  recovery_made_at: nullable('Null if there is no recovery phrase yet.'),
  recovery_is_signing: Type.Boolean({
    description: 'False without a phrase, and for one from before backups were signed.',
  }),
  /** Progress of the current backup. */
  running: Type.Union([
    Type.Null(),
    Type.Object({ started_at: Type.String(), percent: Type.Integer({ minimum: 0, maximum: 100 }) }),
  ]),
  failure: BackupFailure,
  /** `restarting` is decided: the server stops, and restarts with the backup's data. */
  restoring: Type.Union([
    Type.Null(),
    Type.Object({
      started_at: Type.String(),
      name: Type.String(),
      step: oneOf(['unpacking', 'checking', 'asking', 'restarting']),
      percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Progress of unpacking.' }),
      question: Type.Union([Type.Null(), RestoreQuestion], { description: 'For the step `asking`.' }),
    }),
  ]),
  /** Of the last restore from the console; it changed nothing. */
  restore_failure: BackupFailure,
  key_kind: oneOf(['key_file', 'keychain'], { description: 'Where the key of the database is kept.' }),
});
export type BackupState = Static<typeof BackupState>;

export const MAX_PHRASE_CHARS = 1_000;
/** `POST /settings/backups/restore`: replaces the whole installation's data and restarts the server. */
export const BackupRestore = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, description: 'One of `files`.' }),
  phrase: Type.Union([Type.Null(), Type.String({ maxLength: MAX_PHRASE_CHARS })], {
    description: 'The 24 words that were valid when it was made; null for a backup of this installation.',
  }),
  keep_access: Type.Optional(
    Type.Boolean({
      description:
        'Operators, keys and kiosks that the present data never had keep their access. Default: false.',
    }),
  ),
});
/** `POST /settings/backups/restore/confirm`. */
export const RestoreConfirmation = Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) });
export type BackupRestore = Static<typeof BackupRestore>;
/** `POST /settings/recovery-phrase`. */
export const RecoveryPhrase = Type.Object({ phrase: Type.String({ description: '24 words, shown once.' }) });
export type RecoveryPhrase = Static<typeof RecoveryPhrase>;

/** `POST /demo`, once per installation. */
export const DemoCompany = Type.Object({ company_id: Type.String(), company_name: Type.String() });
export type DemoCompany = Static<typeof DemoCompany>;
/** `POST /demo/remove`. */
export const DemoRemoved = Type.Object({
  company_id: Type.String(),
  company_name: Type.String(),
  people: Type.Integer(),
  checks: Type.Integer(),
});
export type DemoRemoved = Static<typeof DemoRemoved>;

export const MaintenanceWindow = Type.Object({
  window_id: Type.String(),
  starts_at: Type.String(),
  ends_at: Type.String(),
  notice: Type.String(),
});
export type MaintenanceWindow = Static<typeof MaintenanceWindow>;
/** `GET /maintenance`, for every operator who is signed in. */
export const MaintenanceState = Type.Object({
  is_on: Type.Boolean(),
  until: nullable('When it ends; null if no end is set.'),
  switched_by_hand: Type.Boolean({ description: 'On until it is turned off or ends.' }),
  notice: Type.String(),
  planned: Type.Array(MaintenanceWindow, { description: 'Current and planned maintenance, soonest first.' }),
});
export type MaintenanceState = Static<typeof MaintenanceState>;
/** `PUT /maintenance/now`. */
export const MaintenanceSwitch = Type.Object({ on: Type.Boolean(), until: Type.Optional(nullableText(40)) });
/**
 * `POST /maintenance/windows`. `DELETE /maintenance/windows/{window_id}` cancels a window, or ends the current one.
 */
export const MaintenancePlan = Type.Object({
  starts_at: Type.String({ maxLength: 40 }),
  ends_at: Type.String({ maxLength: 40 }),
  notice: Type.String({ maxLength: 200 }),
});
export type MaintenancePlan = Static<typeof MaintenancePlan>;

// The database and the nodes of the installation, for admins: `GET /console/api/settings/system`.

const time = Type.String({ format: 'date-time' });

export const SystemNode = Type.Object({
  node_id: Type.String(),
  name: Type.String({ description: 'Name of the machine.' }),
  is_this: Type.Boolean({ description: 'Whether it answers this request.' }),
  state: oneOf(['serving', 'draining', 'gone'], {
    description: '`gone`: no report for 60 seconds.',
  }),
  role: oneOf(['leader', 'member'], { description: 'The leader runs the background jobs.' }),
  version: Type.String({ description: 'Version of Gatehouse.' }),
  index_lag: Type.Integer({ description: 'Face changes that its index has not read yet.' }),
  started_at: time,
  seen_at: time,
  addresses: Type.Array(Type.String(), { description: 'Origins that it listens on.' }),
});
export type SystemNode = Static<typeof SystemNode>;

export const SystemState = Type.Object({
  database: Type.Object({
    engine: oneOf(['sqlite', 'postgres']),
    version: Type.String(),
    bytes: Type.Integer({ description: 'Size on the disk.' }),
    refuses_writes: Type.Boolean({
      description: 'The disk is full or read-only; ends with the next write that succeeds.',
    }),
  }),
  nodes: Type.Array(SystemNode),
});
export type SystemState = Static<typeof SystemState>;
