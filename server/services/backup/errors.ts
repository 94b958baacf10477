export const BACKUP_ERRORS = [
  'not_a_backup',
  'backup_damaged',
  'backup_from_the_future',
  'wrong_key',
  'wrong_phrase',
  'no_recovery',
  'file_not_writable',
  'file_not_readable',
  'backup_failed',
  'restore_under_way',
] as const;
export type BackupErrorCode = (typeof BACKUP_ERRORS)[number];

/** A backup that cannot be made or used, in words for the operator. */
export class BackupError extends Error {
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
    this.code = code;
  }
}
