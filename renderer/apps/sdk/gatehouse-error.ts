import type { CheckErrorCode } from './gatehouse.d.ts';

/** Documented in `gatehouse.d.ts`. */
export class GatehouseError extends Error {
  readonly code: CheckErrorCode;
  readonly detail: string;

  constructor(code: CheckErrorCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = 'GatehouseError';
    this.code = code;
    this.detail = detail;
  }
}
