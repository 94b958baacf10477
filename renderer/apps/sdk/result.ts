import type { ResultCode } from '../../embed/protocol.ts';
import type { CheckResult } from './gatehouse.d.ts';

export const NO_RESULT: CheckResult = Object.freeze({ token: null, vyt: null, verified: false, vyc: null });

export const resultOf = (vyt: string, vyc: ResultCode): CheckResult => ({
  token: vyt,
  vyt,
  verified: vyc === '1',
  vyc,
});
