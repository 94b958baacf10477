import { expect, test } from '@playwright/test';
import { firstLoads } from '../testing/first-load.ts';

for (const { page, kb, budgetKb } of firstLoads()) {
  test(`the first load of the page "${page}" is within its budget`, () => {
    expect(kb).toBeLessThanOrEqual(budgetKb);
  });
}
