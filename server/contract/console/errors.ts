/**
 * All errors of the console's API, by code. Pages show the sentence of `locales/<language>/errors.json` with the same
 * name; `message` of the body is that sentence in English, for developers.
 */
import { Type, type Static } from 'typebox';
import type { DestinationProblem } from '../webhook-types.ts';
import { Conflict, type Role } from './common.ts';
import type { CsvProblem } from './csv.ts';

/** HTTP status of each code. */
export const CONSOLE_ERRORS = {
  // Signing in
  sign_in_required: 401,
  session_idle: 401,
  session_over: 401,
  session_ended: 401,
  sign_in_failed: 401,
  code_required: 401,
  wrong_code: 403,
  second_factor_required: 403,
  second_factor_kept: 403,
  enrolment_over: 409,
  passkey_refused: 403,
  passkey_not_added: 403,
  passkey_needs_name: 409,
  too_many_passkeys: 409,
  oidc_off: 409,
  oidc_incomplete: 422,
  oidc_unreachable: 503,
  oidc_refused: 403,
  oidc_no_role: 403,
  locked_out: 429,
  busy: 503,
  weak_passphrase: 422,
  wrong_passphrase: 403,
  wrong_pin: 403,
  // Origin of a call
  foreign_origin: 403,
  foreign_host: 421,
  csrf_token_required: 403,
  // Permissions
  role_too_low: 403,
  installation_wide: 403,
  // First start, companies, operators
  setup_done: 409,
  setup_code_required: 403,
  recovery_closed: 409,
  recovery_without_phrase: 409,
  wrong_recovery_phrase: 422,
  no_company: 409,
  demo_exists: 409,
  demo_under_way: 409,
  only_company: 409,
  operators_without_company: 409,
  invalid_name: 422,
  name_taken: 409,
  name_unseen: 422,
  name_looks_alike: 409,
  last_admin: 409,
  // Requests in general
  not_found: 404,
  invalid_request: 422,
  changed_meanwhile: 409,
  invalid_cursor: 400,
  invalid_time: 422,
  invalid_day: 422,
  invalid_day_range: 422,
  csv_refused: 422,
  import_without_ids: 422,
  import_not_json: 422,
  import_too_large: 422,
  too_many_streams: 429,
  bad_request: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  storage_unavailable: 503,
  storage_full: 503,
  storage_not_writable: 503,
  storage_damaged: 500,
  internal_error: 500,
  // Keys, verifications, webhooks
  company_has_keys: 409,
  no_working_key: 404,
  invalid_origin: 400,
  invalid_redirect_url: 400,
  external_id_already_exists: 409,
  config_incomplete: 422,
  webhook_not_found: 404,
  invalid_webhook_type: 400,
  invalid_destination: 400,
  too_many_webhooks: 409,
  event_not_sent: 409,
  invalid_allow_host: 400,
  // Sessions, passes, people
  session_not_open: 409,
  session_settled: 409,
  session_expired: 410,
  session_cancelled: 410,
  capture_under_way: 409,
  session_in_review: 409,
  session_without_pass: 409,
  session_not_over: 409,
  guest_passed: 409,
  decided_by_person: 409,
  wrong_step: 409,
  pass_already_locked: 409,
  pass_not_locked: 409,
  pass_disconnected: 409,
  pass_unchanged: 409,
  one_identifier_only: 400,
  identifier_unrecognized: 400,
  confirmation_mismatch: 422,
  person_unknown: 422,
  person_ambiguous: 422,
  same_person: 422,
  not_blocked: 409,
  // Reviews
  case_held: 409,
  case_not_held: 409,
  case_decided: 409,
  cases_not_alike: 422,
  cases_unseen: 422,
  not_a_reviewer: 422,
  no_second_reviewer: 409,
  opinion_given: 409,
  control_no_face: 422,
  control_too_many: 409,
  undo_too_late: 409,
  // Events and kiosks
  event_over: 409,
  event_without_name: 422,
  event_without_times: 422,
  event_ends_before_start: 422,
  event_too_long: 422,
  event_faces_fixed: 409,
  event_verification_unknown: 422,
  group_taken: 409,
  invalid_logo: 422,
  too_many_kiosks: 409,
  kiosk_not_paired: 409,
  // Tickets
  list_without_codes: 422,
  too_many_sources: 409,
  source_refused: 422,
  // Settings
  setting_out_of_range: 422,
  period_out_of_range: 422,
  invalid_zone: 422,
  no_language_offered: 422,
  default_language_not_offered: 422,
  sms_set_by_environment: 422,
  sms_gateway_incomplete: 422,
  sms_twilio_incomplete: 422,
  sms_not_set_up: 422,
  invalid_phone_number: 422,
  sms_refused: 502,
  sms_unreachable: 502,
  clean_up_changed: 409,
  maintenance_ends_in_past: 422,
  maintenance_starts_in_past: 422,
  maintenance_ends_before_start: 422,
  maintenance_too_long: 422,
  // Backups
  backup_folder_relative: 422,
  backup_folder_missing: 422,
  backup_folder_in_data: 422,
  backup_file_exists: 422,
  backup_disk_full: 422,
  data_disk_full: 422,
  backup_forged: 422,
  admins_unconfirmed: 422,
  not_a_backup: 422,
  backup_damaged: 422,
  backup_from_the_future: 422,
  wrong_key: 422,
  wrong_phrase: 422,
  no_recovery: 422,
  file_not_writable: 422,
  file_not_readable: 422,
  backup_failed: 422,
  restore_under_way: 422,
  on_postgres: 422,
  // Updates
  update_refused: 422,
} as const;

export type ConsoleErrorCode = keyof typeof CONSOLE_ERRORS;

/** Possible errors of a backup or a restore: the codes above with these names. */
export const BACKUP_ERRORS = [
  'not_a_backup',
  'backup_damaged',
  'backup_from_the_future',
  'wrong_key',
  'wrong_phrase',
  'no_recovery',
  'file_not_writable',
  'file_not_readable',
  'backup_folder_missing',
  'backup_folder_in_data',
  'backup_file_exists',
  'backup_disk_full',
  'data_disk_full',
  'backup_forged',
  'admins_unconfirmed',
  'backup_failed',
  'restore_under_way',
  'on_postgres',
] as const satisfies ConsoleErrorCode[];
export type BackupErrorCode = (typeof BACKUP_ERRORS)[number];

/** Why another ticketing system can't be connected. */
export type SourceProblem =
  | 'unreadable'
  | 'newer'
  | 'used'
  | 'expired'
  | 'unreachable'
  | 'unknown'
  | 'pair_again'
  | 'no_rights';

/** Why an update can't be installed here. */
export const UPDATE_PROBLEMS = [
  'unreadable',
  'no_keys',
  'unknown_key',
  'damaged',
  'other_product',
  'other_system',
  'other_kind',
  'installed',
  'older',
  'step_too_large',
  'no_space',
  'under_way',
  'checks_running',
  'database_unsaved',
  'changed',
  'no_pkexec',
  'cancelled',
  'not_authorised',
  'package_failed',
  'failed',
] as const;
export type UpdateProblem = (typeof UPDATE_PROBLEMS)[number];

export type PassphraseProblem = 'short' | 'long' | 'few_characters' | 'repeated' | 'leaked' | 'guessable';

type Bounds = { min: number; max: number };

/** Details of the codes whose sentences need them. */
export type ConsoleErrorArgs = {
  locked_out: { minutes: number };
  name_looks_alike: { name: string };
  operators_without_company: { names: string };
  weak_passphrase: { problem: PassphraseProblem } & Bounds;
  role_too_low: { role: Role };
  invalid_time: { text: string };
  invalid_day: { text: string };
  invalid_day_range: { max: number };
  csv_refused: { problem: CsvProblem; line: number; max: number };
  import_too_large: { max: number };
  internal_error: { id: string };
  config_incomplete: { options: string };
  invalid_origin: { origin: string };
  invalid_destination: { problem: DestinationProblem };
  invalid_allow_host: { host: string };
  confirmation_mismatch: { id: string };
  case_held: { name: string };
  control_too_many: { people: number; pictures: number };
  event_too_long: { days: number };
  too_many_kiosks: { max: number };
  too_many_sources: { max: number };
  source_refused: { problem: SourceProblem };
  update_refused: { problem: UpdateProblem };
  setting_out_of_range: Bounds;
  period_out_of_range: Bounds;
  sms_refused: { status: number };
  maintenance_too_long: { days: number };
};

/** The type of a catalogue of all sentences: texts, and functions of a code's details. */
export type ConsoleErrorMessages = {
  [Code in ConsoleErrorCode]: Code extends keyof ConsoleErrorArgs
    ? (args: ConsoleErrorArgs[Code]) => string
    : string;
};

/** An error reply. */
export const ConsoleErrorBody = Type.Object({
  error: Type.Unsafe<ConsoleErrorCode>({ type: 'string', enum: Object.keys(CONSOLE_ERRORS) }),
  args: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string | number>>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number'] },
      description: 'Details of the code, such as the limit that a number exceeds.',
    }),
  ),
  message: Type.String({ description: 'The code as an English sentence, for developers.' }),
  /** Only with `invalid_request`: what does not match, by its place (`body.name`, `query.limit`). */
  fields: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  /** Only with `changed_meanwhile`. */
  conflict: Type.Optional(Conflict),
  /** Only with status 500: the ID that the log line repeats. */
  error_id: Type.Optional(Type.String()),
});
export type ConsoleErrorBody = Static<typeof ConsoleErrorBody>;
