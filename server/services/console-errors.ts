/** What the console's use cases refuse: a code for pages, words for people. `routes/console/api/errors.ts` has the statuses. */
export const CONSOLE_ERROR_CODES = [
  // Getting in
  'sign_in_required',
  'session_idle',
  'session_over',
  'session_ended',
  'sign_in_failed',
  'code_required',
  'wrong_code',
  'second_factor_required',
  'enrolment_over',
  'locked_out',
  'busy',
  'weak_passphrase',
  'wrong_passphrase',
  'wrong_pin',
  // Where a call comes from
  'foreign_origin',
  'foreign_host',
  'csrf_token_required',
  // What may be done
  'role_too_low',
  'installation_wide',
  'setup_done',
  'setup_code_required',
  'no_company',
  'not_found',
  'invalid_name',
  'name_taken',
  'last_admin',
  'invalid_cursor',
  'invalid_time',
  'invalid_setting',
  'send_failed',
  'too_many_streams',
  // People, sessions
  'wrong_state',
  'confirmation_mismatch',
  // Reviews
  'case_held',
  'case_not_held',
  'case_decided',
  'undo_too_late',
  // Events, kiosks, the door
  'invalid_event',
  'group_taken',
  'invalid_logo',
  'too_many_kiosks',
  'kiosk_not_paired',
] as const;
export type ConsoleErrorCode = (typeof CONSOLE_ERROR_CODES)[number];

export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode;
  readonly retryAfterS: number | null;
  /** @param message a sentence or two for whoever sits before the console */
  constructor(
    code: ConsoleErrorCode,
    message: string,
    { retryAfterS = null }: { retryAfterS?: number | null } = {},
  ) {
    super(message);
    this.name = 'ConsoleError';
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export const notFound = (what: string): ConsoleError =>
  new ConsoleError('not_found', `There is no such ${what}. It may have been removed.`);

/** @param message says what would be accepted */
export const invalidSetting = (message: string): ConsoleError => new ConsoleError('invalid_setting', message);

/** Of a list's `cursor` that none of its pages gave. */
export const invalidCursor = (): ConsoleError =>
  new ConsoleError('invalid_cursor', 'This place in the list is not known. Start from its beginning.');
