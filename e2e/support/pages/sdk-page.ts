/** The check as people see it in a page of the SDK. */
import { expect, type FrameLocator } from '@playwright/test';

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
