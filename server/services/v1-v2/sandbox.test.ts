import { describe, expect, test } from 'vitest';
import { isTestNumber } from '../../domain/identity.ts';
import { sandboxPhoneNumber } from './sandbox.ts';

const LOWEST = () => 0;
const HIGHEST = (n: number) => n - 1;

describe('contract, "Test number ranges"', () => {
  test('every number drawn is in them, and its code is its last six digits', () => {
    for (const draw of [LOWEST, HIGHEST])
      for (const request of [
        {},
        { type: 'us' },
        { type: 'us', area_code: '999' },
        { area_code: '200' },
      ] as const) {
        const { phone_number, verification_code } = sandboxPhoneNumber(draw, request);
        expect(isTestNumber(phone_number)).toBe(true);
        expect(verification_code).toBe(phone_number.slice(-6));
      }
  });

  test('a US number has the requested area code, or 210', () => {
    expect(sandboxPhoneNumber(LOWEST, { type: 'us' }).phone_number).toBe('+12105550100');
    expect(sandboxPhoneNumber(HIGHEST, { area_code: '415' }).phone_number).toBe('+14155550199');
  });
});
