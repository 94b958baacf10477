/** Contract, "Rules for POST /v3/initialize", 7 (group) and 8 (include_groups). */
import { expect } from '@playwright/test';
import type { InitializeRequest } from '../../../../server/contract/v3.ts';
import { FLAGGING, fresh, NO_SKIP, sharedVenue, test, type Venue } from '../../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const CLEAN = { verified: true, status: 'approved', reasons: [], groups: [] };

/** A run that is checked on its own, without the pass of an earlier visit. */
const verdict = async (face: string, request: InitializeRequest) =>
  (await venue.settle(face, { config: NO_SKIP, ...request })).confirmation;

test.describe('rule 7: group', () => {
  test('"The same person can pass once per group"; "The group is recorded on the confirmation"', async () => {
    const [face, one, two] = [fresh('face'), fresh('group'), fresh('group')];
    expect(await verdict(face, { group: one })).toMatchObject({ ...CLEAN, group: one });
    expect(await verdict(face, { group: two })).toMatchObject({ ...CLEAN, group: two });
    expect(await verdict(face, { group: one })).toMatchObject({
      verified: false,
      status: 'denied',
      reasons: ['collision'],
      groups: [one],
    });
  });

  test('"a run with a group is judged only against passes in the same group", not against ungrouped ones', async () => {
    const [face, group] = [fresh('face'), fresh('group')];
    await verdict(face, {});
    expect(await verdict(face, { group })).toMatchObject(CLEAN);
  });

  test('"Without a group the run is judged against everything"', async () => {
    const [face, group] = [fresh('face'), fresh('group')];
    await verdict(face, { group });
    expect(await verdict(face, {})).toMatchObject({
      status: 'denied',
      reasons: ['collision_company'],
      group: null,
      groups: [group],
    });
  });

  test('"a second external_id on a known face is a duplicate account in any group"', async () => {
    const face = fresh('face');
    await verdict(face, { group: fresh('group'), external_id: fresh('account') });
    expect(await verdict(face, { group: fresh('group'), external_id: fresh('account') })).toMatchObject({
      status: 'denied',
      reasons: ['duplicate_account'],
    });
    const same = fresh('account');
    const other = fresh('face');
    await verdict(other, { group: fresh('group'), external_id: same });
    expect(await verdict(other, { group: fresh('group'), external_id: same })).toMatchObject(CLEAN);
  });

  test('every character of a group counts, including case and spaces', async () => {
    const [face, group] = [fresh('face'), fresh('Group')];
    for (const name of [group, group.toLowerCase(), `${group} `]) {
      expect(await verdict(face, { group: name })).toMatchObject({ ...CLEAN, group: name });
    }
  });
});

test.describe('rule 8: include_groups', () => {
  test('"covers group plus the listed groups": collisions, reported with the group of the hit', async () => {
    const [face, friday, saturday] = [fresh('face'), fresh('friday'), fresh('saturday')];
    await verdict(face, { group: friday });
    expect(await verdict(face, { group: saturday, include_groups: [friday] })).toMatchObject({
      status: 'denied',
      reasons: ['collision'],
      group: saturday,
      groups: [friday],
    });
  });

  test('"covers group plus the listed groups": denied history', async () => {
    const [face, friday, saturday] = [fresh('face'), fresh('friday'), fresh('saturday')];
    await verdict(face, { group: friday });
    const review = { ...NO_SKIP, collision: { action: 'review' } };
    const run = await venue.begin({ group: friday, config: review });
    await run.flow('/test-capture', { face });
    await run.flow('/test-review', { decision: 'deny' });
    const { reasons, groups } = await verdict(face, { group: saturday, include_groups: [friday] });
    expect(reasons).toContain('linked_denial');
    expect(groups).toEqual([friday]);
    expect(await verdict(face, { group: fresh('sunday') })).toMatchObject(CLEAN);
  });

  test('"covers group plus the listed groups": pass metering by limit.kind', async () => {
    const config = { ...FLAGGING, limit: { kind: 'total', max: 1 } };
    const [face, friday, saturday] = [fresh('face'), fresh('friday'), fresh('saturday')];
    await verdict(face, { group: friday, config });
    expect(await verdict(face, { group: saturday, include_groups: [friday], config })).toMatchObject({
      status: 'denied',
      reasons: ['limit_reached'],
      groups: [friday],
    });
    expect(await verdict(face, { group: saturday, config })).toMatchObject(CLEAN);
  });

  test('"The run settles into its own group only; included groups are read, never written"', async () => {
    const [face, friday, saturday] = [fresh('face'), fresh('friday'), fresh('saturday')];
    await verdict(face, { group: saturday, include_groups: [friday] });
    expect(await verdict(face, { group: friday })).toMatchObject(CLEAN);
    expect(await verdict(face, { group: saturday })).toMatchObject({ reasons: ['collision'] });
  });

  test('"A hit in an included group acts like one in the own pool, following … collision.action"', async () => {
    const [face, friday] = [fresh('face'), fresh('friday')];
    await verdict(face, { group: friday });
    const request = { group: fresh('saturday'), include_groups: [friday] };
    expect(await verdict(face, { ...request, config: FLAGGING })).toMatchObject({
      verified: true,
      status: 'approved',
      reasons: ['collision'],
      groups: [friday],
    });
  });

  test('"Repeats, and the own group in the list, are harmless"', async () => {
    const [face, friday, saturday] = [fresh('face'), fresh('friday'), fresh('saturday')];
    await verdict(face, { group: friday });
    const include_groups = [friday, saturday, friday, saturday];
    expect(await verdict(face, { group: saturday, include_groups })).toMatchObject({
      reasons: ['collision'],
      groups: [friday],
    });
    expect(await verdict(fresh('face'), { group: saturday, include_groups })).toMatchObject(CLEAN);
  });

  test('"Without group the list adds nothing"', async () => {
    const [face, friday] = [fresh('face'), fresh('friday')];
    await verdict(face, { group: friday });
    const without = await verdict(face, { config: FLAGGING });
    const withList = await verdict(face, { include_groups: [fresh('none')], config: FLAGGING });
    expect(without).toMatchObject({ reasons: ['collision_company'], group: null });
    expect(withList).toMatchObject({ reasons: ['collision_company'], group: null });
  });
});
