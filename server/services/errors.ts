import {
  BACKUP_ERRORS,
  type BackupErrorCode,
  type ConsoleErrorArgs,
  type ConsoleErrorCode,
  type ConsoleErrorMessages,
} from '../contract/console/errors.ts';
import type { Conflict } from '../contract/console/common.ts';
import type { FlowError } from '../contract/flow.ts';
import type { KioskError } from '../contract/kiosk.ts';
import { messagesOf } from '../../locales/node.ts';

/** Every refusal of the interfaces' use cases, by the code on the wire. One place maps them to HTTP. */
export type ErrorCode =
  | FlowError
  | Exclude<KioskError, 'wrong_pin' | 'locked_out' | 'busy'>
  | 'authentication_required'
  | 'invalid_key_type'
  | 'invalid_or_revoked_key'
  | 'identifiers_require_secret_key'
  | 'config_requires_test_key'
  | 'test_key_required'
  | 'one_identifier_only'
  | 'start_path_requires_origin'
  | 'return_path_requires_origin'
  | 'invalid_origin'
  | 'invalid_redirect_url'
  | 'redirect_url_requires_session'
  | 'group_requires_session'
  | 'expire_in_days_requires_email'
  | 'metadata_requires_identifier'
  | 'no_matching_verification'
  | 'identity_already_claimed'
  | 'external_id_already_exists'
  | 'config_incomplete'
  | 'invalid_confirmation_token'
  | 'token_expired'
  | 'no_settled_pass'
  | 'unknown_reason'
  | 'invalid_idempotency_key'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'case_decided'
  | 'webhook_not_found'
  | 'invalid_webhook_type'
  | 'invalid_destination'
  | 'invalid_allow_host'
  | 'too_many_uploads'
  | 'uploads_busy'
  | 'too_many_streams'
  | 'streams_busy';

type ServiceErrorOptions = {
  /** Replaces the code as the wire's `detail`, if the contract specifies a text. */
  detail?: string;
  /** Further fields of the body. */
  extra?: Record<string, unknown>;
  /** Facts for the sentence that the console shows. */
  args?: Readonly<Record<string, string | number>>;
  retryAfterS?: number;
  cause?: unknown;
};

/** A refusal that the caller can act on. Never contains internals, nor data of another scope. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly options: ServiceErrorOptions;
  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.options = options;
  }
}

type ConsoleErrorOptions = { retryAfterS?: number; conflict?: Conflict };
type ConsoleRefusal =
  | [code: Exclude<ConsoleErrorCode, keyof ConsoleErrorArgs>, args?: null, options?: ConsoleErrorOptions]
  | {
      [Code in keyof ConsoleErrorArgs]: [
        code: Code,
        args: ConsoleErrorArgs[Code],
        options?: ConsoleErrorOptions,
      ];
    }[keyof ConsoleErrorArgs];

/** A refusal of the console's use cases: a code of the contract, and the details that its sentence needs. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode;
  readonly args: Readonly<Record<string, string | number>> | null;
  readonly retryAfterS: number | null;
  readonly conflict: Conflict | null;
  constructor(...[code, args, options]: ConsoleRefusal) {
    super(englishOf(code, args ?? {}));
    this.name = 'ConsoleError';
    this.code = code;
    this.args = args ?? null;
    this.retryAfterS = options?.retryAfterS ?? null;
    this.conflict = options?.conflict ?? null;
  }
}

/** The sentence of a code in English, for developers, the command line and the log. */
export function englishOf(code: ConsoleErrorCode, args: object): string {
  const messages: ConsoleErrorMessages = messagesOf('errors', 'en');
  const message = messages[code] as string | ((args: object) => string);
  return typeof message === 'string' ? message : message(args);
}

/** Why a backup failed; `backup_failed` if there is no specific code. */
export function backupErrorOf(error: unknown): BackupErrorCode {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return BACKUP_ERRORS.find((known) => known === code) ?? 'backup_failed';
}

export const notFound = (): ConsoleError => new ConsoleError('not_found');

/** For a list's `cursor` that none of its pages returned. */
export const invalidCursor = (): ConsoleError => new ConsoleError('invalid_cursor');

/** One finding about a body, query or path, in FastAPI's shape (contract, "validation error body"). */
export type ValidationDetail = {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
};

/** A request that does not match its schema: 422 with every finding listed. */
export class ValidationError extends Error {
  readonly detail: ValidationDetail[];
  constructor(detail: ValidationDetail[]) {
    super('The request does not fit its schema.');
    this.name = 'ValidationError';
    this.detail = detail;
  }
}

/** A backup that cannot be made or used. The message is for the command line and the log. */
export class BackupError extends Error {
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
    this.code = code;
  }
}
