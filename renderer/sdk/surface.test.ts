import { expect, expectTypeOf, test } from 'vitest';
import { GatehouseError } from './gatehouse-error.ts';
import type * as Esm from './esm.ts';
import type * as Surface from './gatehouse.d.ts';
import type * as Iife from './iife.ts';
import { createSdk } from './sdk.ts';

test('what is built is what its types say', () => {
  expectTypeOf<typeof Esm>().toExtend<typeof Surface>();
  expectTypeOf<typeof Iife>().toExtend<typeof Surface>();
});

test('a call that cannot work says what is missing', async () => {
  await expect(createSdk(null).vycheck({ session: 'vs_1' })).rejects.toThrow('init({ baseUrl })');
  const sdk = createSdk('https://v.example/sdk/gatehouse.js');
  await expect(sdk.vycheck({})).rejects.toMatchObject({ code: 'setup' });
  await expect(sdk.vycheck({ session: 'a', publishableKey: 'b' })).rejects.toMatchObject({ code: 'setup' });
  await expect(sdk.vycheck({ session: 'a', mode: 'embed', display: 'inline' })).rejects.toMatchObject({
    code: 'setup',
  });
  expect(() => sdk.init({ baseUrl: 'nowhere' })).toThrow(GatehouseError);
});
