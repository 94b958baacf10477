/** A shop's page with the SDK, and the check as people see it there. */
import { expect, type Frame, type FrameLocator, type Page } from '@playwright/test';
import type * as Sdk from '../../../renderer/apps/sdk/gatehouse.d.ts';

/** What the shop's script keeps in its window. */
export type Shop = {
  start: (options: Sdk.CheckOptions) => void;
  check: Sdk.CheckHandle;
  settled: { result?: Sdk.CheckResult; code?: string; detail?: string } | null;
  Gatehouse: typeof Sdk;
};
type Options = Omit<Sdk.CheckOptions, 'container'> & { container?: string };
export const start = (page: Page | Frame, options: Options) =>
  page.evaluate((each) => (window as unknown as Shop).start(each), options);
export const settled = (page: Page | Frame) => page.evaluate(() => (window as unknown as Shop).settled);

/** From the computer's screen to the result, with a named face. */
export async function passWithTestFace(
  frame: Pick<FrameLocator, 'getByRole' | 'getByLabel'>,
  face: string,
): Promise<void> {
  await frame.getByRole('button', { name: 'Use this computer’s camera' }).click();
  await frame.getByRole('button', { name: 'Agree and start' }).click();
  await frame.getByLabel('Another name').fill(face);
  await frame.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(frame.getByRole('heading', { name: 'You’re verified' })).toBeVisible();
}
