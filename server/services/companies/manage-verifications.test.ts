import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { VerificationFields } from '../../contract/console/verifications.ts';
import { MAX_ID_LENGTH } from '../../contract/text-bounds.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { BASE_URL, openTestService } from '../../../testing/service/temp-service.ts';
import { createCompany } from './companies.ts';
import { editVerification, listVerifications, readVerification } from './manage-verifications.ts';

async function company() {
  const { deps, clock, company: made } = await openTestService();
  return { deps, clock, made, by: { companyId: made.company_id, actor: 'operator:ada' as const } };
}

it('a verification is created and changed; fields left out stay, an empty text clears', async () => {
  const { deps, by } = await company();
  const made = await editVerification(
    deps,
    null,
    { external_id: ' north ', origin: 'tickets.example.org', config: { collision: { action: 'flag' } } },
    by,
  );
  expect(made).toMatchObject({
    external_id: 'north',
    origin: 'https://tickets.example.org',
    config: { collision: { action: 'flag' } },
    is_default: false,
    url: `${BASE_URL}/v/${made.verification_id}`,
  });
  const changed = await editVerification(deps, made.verification_id, { origin: '', return_path: '/ok' }, by);
  expect(changed).toMatchObject({ external_id: 'north', origin: null, return_path: '/ok' });
});

it('the longest ID that is allowed fits every index; a longer one is refused', async () => {
  const { deps, by } = await company();
  const unlike = Array.from({ length: MAX_ID_LENGTH }, (_, place) =>
    String.fromCodePoint(0x20000 + ((place * 7919) % 40_000)),
  ).join('');
  const made = await editVerification(deps, null, { external_id: unlike }, by);
  expect(await readVerification(deps, by.companyId, made.verification_id)).toMatchObject({
    external_id: unlike,
  });
  expect(Value.Check(VerificationFields, { external_id: 'x'.repeat(MAX_ID_LENGTH) })).toBe(true);
  expect(Value.Check(VerificationFields, { external_id: 'x'.repeat(MAX_ID_LENGTH + 1) })).toBe(false);
});

it('unknown options are refused in the contract’s words, wrong values by their place', async () => {
  const { deps, by } = await company();
  const save = (config: Record<string, unknown>) => editVerification(deps, null, { config }, by);
  await expect(save({ colour: 'red', limit: { kind: 'day', minimum: 1 } })).rejects.toThrow(
    'config_incomplete: missing colour, limit.minimum',
  );
  await expect(save({ limit: { kind: 'hour' } })).rejects.toMatchObject({
    detail: [expect.objectContaining({ loc: ['body', 'config', 'limit', 'kind'] })],
  });
  await expect(editVerification(deps, null, { origin: 'not an origin' }, by)).rejects.toMatchObject({
    code: 'invalid_origin',
  });
});

it('embedding origins are saved as browsers write them, once each; paths and wildcards are refused', async () => {
  const { deps, by } = await company();
  const made = await editVerification(
    deps,
    null,
    { embed_origins: ['Shop.example.org', 'https://shop.example.org', 'http://127.0.0.1:8080'] },
    by,
  );
  expect(made.embed_origins).toEqual(['https://shop.example.org', 'http://127.0.0.1:8080']);
  const kept = await editVerification(deps, made.verification_id, { origin: 'tickets.example.org' }, by);
  expect(kept.embed_origins).toEqual(made.embed_origins);
  const refused = ['null', 'https://*.example.org', 'https://shop.example.org/path', 'https://a;b.example'];
  for (const origin of [...refused, 'a.example,b.example', 'https://[::1]']) {
    await expect(
      editVerification(deps, made.verification_id, { embed_origins: [origin] }, by),
    ).rejects.toMatchObject({ code: 'invalid_origin', facts: { args: { origin } } });
  }
  const cleared = await editVerification(deps, made.verification_id, { embed_origins: [] }, by);
  expect(cleared.embed_origins).toEqual([]);
});

it('§3.19: origins of an earlier version that no page can have are shown, and block no other change', async () => {
  const { deps, by } = await company();
  const made = await editVerification(deps, null, { origin: 'tickets.example.org' }, by);
  await deps.db.write(
    `UPDATE verifications SET origin = 'https://null', embed_origins = '["https://*.t.example","https://shop.example"]'
     WHERE id = ?`,
    made.verification_id,
  );
  const changed = await editVerification(deps, made.verification_id, { start_path: '/x' }, by);
  expect(changed.unusable_origins).toEqual(['https://null', 'https://*.t.example']);
  const mended = await editVerification(
    deps,
    made.verification_id,
    { origin: 'a.example', embed_origins: [] },
    by,
  );
  expect(mended.unusable_origins).toEqual([]);
});

it('there is one default, and the reason for changing it is recorded', async () => {
  const { deps, made, by } = await company();
  const next = await editVerification(deps, null, { external_id: 'south' }, by);
  await editVerification(deps, next.verification_id, { makeDefault: true }, { ...by, reason: 'moved' });
  const { items } = await listVerifications(deps, made.company_id, {});
  expect(items.filter(({ is_default }) => is_default).map(({ verification_id }) => verification_id)).toEqual([
    next.verification_id,
  ]);
  const [entry] = await listAuditEntries(deps.db, { action: 'verification.update' }, null, 1);
  expect(entry).toMatchObject({ subject: next.verification_id, subjectName: 'south' });
  expect(entry?.details).toContain('moved');
});

it('an external id can be used only once', async () => {
  const { deps, by } = await company();
  await editVerification(deps, null, { external_id: 'south' }, by);
  await expect(editVerification(deps, null, { external_id: 'south' }, by)).rejects.toMatchObject({
    code: 'external_id_already_exists',
  });
});

it('another company’s verification is not found', async () => {
  const { deps, clock, made, by } = await company();
  const other = await createCompany(deps.db, clock, { name: 'Other', actor: 'cli' });
  const id = other.default_verification_id;
  await expect(readVerification(deps, made.company_id, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(editVerification(deps, id, { origin: null }, by)).rejects.toMatchObject({ code: 'not_found' });
});

it('the list has pages, oldest first', async () => {
  const { deps, clock, made, by } = await company();
  for (let count = 0; count < 4; count += 1) {
    clock.advance(1);
    await editVerification(deps, null, {}, by);
  }
  const first = await listVerifications(deps, made.company_id, { limit: 3 });
  const second = await listVerifications(deps, made.company_id, {
    limit: 3,
    cursor: first.next_cursor ?? '',
  });
  const times = [...first.items, ...second.items].map(({ created_at }) => created_at);
  expect(times).toHaveLength(5);
  expect(times).toEqual([...times].sort());
  expect(second.next_cursor).toBeNull();
});
