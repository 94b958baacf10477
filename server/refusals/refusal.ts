import { messagesOf } from '../../locales/node.ts';
import type { Conflict } from '../contract/console/common.ts';
import {
  BACKUP_ERRORS,
  type BackupErrorCode,
  CONSOLE_ERRORS,
  type ConsoleErrorArgs,
  type ConsoleErrorCode,
  type ConsoleErrorMessages,
} from '../contract/console/errors.ts';
import type { ApiCode, ConnectCode } from './codes.ts';

/** Every refusal of a use case. Each surface has one place that puts it into its own shape: the other files of this folder. */
export type RefusalCode = ApiCode | ConnectCode | ConsoleErrorCode;

type Facts = {
  /** For developers, the log and the command line, instead of the code's sentence; on the wire in v1 and v2. */
  message?: string;
  /** Replaces the code as the wire's `detail`, if the contract specifies a text. */
  detail?: string;
  /** Further fields of the body in v3 and the flow. */
  extra?: Readonly<Record<string, unknown>>;
  retryAfterS?: number;
  /** Only with `changed_meanwhile`. */
  conflict?: Conflict;
  cause?: unknown;
};
type Args = Readonly<Record<string, string | number>>;
type Stated =
  | [code: Exclude<RefusalCode, keyof ConsoleErrorArgs>, facts?: Facts]
  | {
      [Code in keyof ConsoleErrorArgs]: [code: Code, facts: Facts & { args: ConsoleErrorArgs[Code] }];
    }[keyof ConsoleErrorArgs];

/** A refusal that the caller can act on. Never contains internals, nor data of another scope. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** `args` are what the sentence of the code needs. */
  readonly facts: Readonly<Facts & { args?: Args }>;
  constructor(...[code, facts = {}]: Stated) {
    const { cause, ...known } = facts;
    super(known.message ?? known.detail ?? englishOf(code, 'args' in known ? known.args : {}), { cause });
    this.name = 'Refusal';
    this.code = code;
    this.facts = known;
  }
}

export const isConsoleCode = (code: RefusalCode): code is ConsoleErrorCode =>
  Object.hasOwn(CONSOLE_ERRORS, code);

/** The sentence of a code in English, for developers, the command line and the log; the code itself if it has none. */
export function englishOf(code: RefusalCode, args: object): string {
  if (!isConsoleCode(code)) return code;
  const messages: ConsoleErrorMessages = messagesOf('errors', 'en');
  const message = messages[code] as string | ((args: object) => string);
  return typeof message === 'string' ? message : message(args);
}

/** Why a backup failed; `backup_failed` if there is no specific code. */
export function backupErrorOf(error: unknown): BackupErrorCode {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return BACKUP_ERRORS.find((known) => known === code) ?? 'backup_failed';
}

export const notFound = (): Refusal => new Refusal('not_found');

/** For a list's `cursor` that none of its pages returned. */
export const invalidCursor = (): Refusal => new Refusal('invalid_cursor');

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
