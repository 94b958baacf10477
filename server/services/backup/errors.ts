import type { BackupErrorCode } from '../../contract/console/errors.ts';

/** A backup that cannot be made or used. The message is for the command line and the log. */
export class BackupError extends Error {
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupError';
    this.code = code;
  }
}
