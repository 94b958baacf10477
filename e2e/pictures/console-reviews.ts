/** Cases for screenshots of the review pages: test faces, and people at the camera. */
import { renderClips } from '../../testing/camera/clips.ts';
import { personA, personB } from '../../testing/camera/people.ts';
import { openLiveCases, openTestCases, sendToReview } from '../support/reviews.ts';
import type { Gatehouse } from '../support/service/server.ts';

export async function openReviews(gatehouse: Gatehouse): Promise<void> {
  await sendToReview(gatehouse);
  const metadata = {
    name: 'Maximiliane von Hohenstein-Ludwigsburg',
    ticket: 'VIP-0042',
    seat: 'Block C, row 12',
  };
  const first = await renderClips(personA);
  await openLiveCases(gatehouse, first, [
    { external_id: 'order-1041', email: 'maxi@example.com', metadata, group: 'day-1' },
    { external_id: 'order-1042', group: 'day-1' },
  ]);
  await decideAll(gatehouse);
  // From now on the person has pictures of an earlier case.
  await openLiveCases(gatehouse, first, [
    { external_id: 'order-1077', email: 'second.account@example.org', metadata, group: 'day-1' },
    { external_id: 'order-1078', group: 'day-1' },
  ]);
  await openLiveCases(gatehouse, await renderClips(personB), [
    { external_id: 'order-2001', email: 'ben@example.com' },
    { external_id: 'order-2002' },
  ]);
  await openTestCases(gatehouse, 'alice', ['guest-1', 'guest-2', 'guest-3', 'guest-4', 'guest-5'], {
    metadata: { name: 'Alice' },
  });
}

async function decideAll(gatehouse: Gatehouse): Promise<void> {
  for (const { case_id } of await gatehouse.cli<{ case_id: string }[]>(['reviews', 'list'])) {
    const decision = ['--decision', 'same_person_allow', '--reason', 'Bought a second ticket for themselves'];
    await gatehouse.cli(['reviews', 'decide', '--case', case_id, ...decision]);
  }
}
