/** Who is let in after a restore: those who were let in before it, not those of the day of the backup. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestService, refusalOf } from '../../../../testing/service/temp-service.ts';
import { kiosk as kioskRow } from '../../../../testing/store/rows.ts';
import { storePaths, tempDir } from '../../../../testing/store/temp-store.ts';
import { readOrCreateKeyFile } from '../../../store/sql/key-file.ts';
import { openSqlite } from '../../../store/sql/sqlite/driver.ts';
import { insertKiosk, revokeKiosk, setPairingCode } from '../../../store/venue/kiosks.ts';
import { authenticateV3, revokeKeys, rollKeys } from '../../keys/keys.ts';
import { createOperator } from '../../operators/operators.ts';
import { changeOperator } from '../../operators/change.ts';
import { pairDevice } from '../../venue/kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from '../../venue/kiosk-tokens.ts';
import { createBackup } from '../create.ts';
import { recoveryMadeAt, renewRecoveryPhrase } from '../recovery-setting.ts';
import { type Access, readAccess } from './repeat-access.ts';
import { restoreBackup } from './restore.ts';

const HOUR_MS = 3_600_000;
const actor = 'cli';

async function venue() {
  const dir = tempDir();
  const service = await openTestService(dir);
  const { path: databasePath, keyPath } = storePaths(dir);
  const databaseKey = readOrCreateKeyFile(keyPath, databasePath);
  const file = path.join(tempDir(), 'one.gatehouse-backup');
  const companyId = service.company.company_id;
  const pairKiosk = async (id: string, code: string) => {
    await service.deps.db.tx((tx) =>
      insertKiosk(tx, kioskRow(companyId, id, { codeHash: pairingCodeHash(code), at: service.clock.now() })),
    );
    return (await pairDevice(service.deps, code)).device_token;
  };
  const newOperator = async (name: string) =>
    (await createOperator(service.deps, { name, role: 'admin', origin: 'cli', actor })).operator.operator_id;
  return {
    ...{ service, companyId, pairKiosk, newOperator },
    backUp: async () => {
      await createBackup({ databasePath, databaseKey, target: file, nowMs: service.clock.now() });
      service.clock.advance(HOUR_MS);
    },
    restore: async (access?: Access | null) => {
      const target = path.join(dir, 'restored.db');
      const restored = await restoreBackup({
        ...{ file, target, targetKey: databaseKey, actor, clock: service.clock },
        opener: { kind: 'database', key: databaseKey },
        erasures: async () => [],
        isInPlace: true,
        keepsAccess: false,
        access: async () => access ?? (await readAccess(service.deps.db)),
      });
      return {
        ...restored,
        db: await openSqlite({ path: target, keyPath: `${target}.key`, key: databaseKey }),
      };
    },
  };
}

test('a key that was revoked since stays revoked, and one that replaced another since works', async () => {
  const { service, companyId, backUp, restore } = await venue();
  const { deps, clock, company } = service;
  await backUp();
  const keys = await deps.db.all<{ kind: string; partition: string; pairId: string; id: string }>(
    'SELECT id, kind, partition, pair_id AS pairId FROM keys',
  );
  const pairOf = (partition: string) =>
    keys.find((key) => key.kind === 'sk' && key.partition === partition)!.pairId;
  const request = { companyId, reason: 'leaked', actor } as const;
  await revokeKeys(deps.db, clock, { ...request, keyOrPairId: pairOf('live') });
  const rolled = await deps.db.tx((tx) =>
    rollKeys(tx, clock.now(), { ...request, pairId: pairOf('test'), overlap: 'now' }),
  );
  const { db, accessKept } = await restore();
  expect(accessKept).toBe(6);
  const uses = (key: string) => authenticateV3(db, key, { secretOnly: true, nowMs: clock.now() });
  await expect(uses(company.keys.sk_live)).rejects.toThrow();
  await expect(uses(company.keys.sk_test)).rejects.toThrow();
  expect(await uses(rolled!.keys.sk_test!)).toMatchObject({ scope: { companyId } });
  await db.close();
});

test('a kiosk that was removed since stays removed, and one that was paired again since stays paired', async () => {
  const { service, companyId, pairKiosk, backUp, restore } = await venue();
  const { deps, clock } = service;
  const stolen = await pairKiosk('stolen', 'ABCD-2345');
  const before = await pairKiosk('again', 'ABCD-2346');
  await backUp();
  await deps.db.tx((tx) => revokeKiosk(tx, companyId, 'stolen', clock.now()));
  await deps.db.tx((tx) =>
    setPairingCode(tx, companyId, 'again', {
      hash: pairingCodeHash('ABCD-2347'),
      expiresAt: clock.now() + HOUR_MS,
      at: clock.now(),
    }),
  );
  const { device_token: now } = await pairDevice(deps, 'ABCD-2347');
  const { db } = await restore();
  for (const token of [stolen, before])
    expect(await refusalOf(authoriseKiosk(db, token))).toBe('invalid_kiosk_token');
  expect(await authoriseKiosk(db, now)).toMatchObject({ id: 'again' });
  await db.close();
});

test('older data that a newer backup replaces does not bring back a rolled key or a lost tablet', async () => {
  const { service, companyId, pairKiosk, backUp, restore } = await venue();
  const { deps, clock } = service;
  const lost = await pairKiosk('gate', 'ABCD-2345');
  const older = await readAccess(deps.db);
  clock.advance(HOUR_MS);
  const key = await deps.db.one<{ pairId: string }>(
    `SELECT pair_id AS pairId FROM keys WHERE kind = 'sk' AND partition = 'test'`,
  );
  const request = { companyId, pairId: key!.pairId, overlap: '24h', reason: 'yearly', actor } as const;
  await deps.db.tx((tx) => rollKeys(tx, clock.now(), request));
  const code = { hash: pairingCodeHash('ABCD-2346'), expiresAt: clock.now() + HOUR_MS, at: clock.now() };
  await deps.db.tx((tx) => setPairingCode(tx, companyId, 'gate', code));
  const { device_token: now } = await pairDevice(deps, 'ABCD-2346');
  const endsAt = 'SELECT ends_at FROM keys WHERE ends_at IS NOT NULL ORDER BY id';
  const before = await deps.db.all(endsAt);
  await backUp();
  const { db } = await restore(older);
  expect(await db.all(endsAt)).toEqual(before);
  expect(before).not.toEqual([]);
  expect(await refusalOf(authoriseKiosk(db, lost))).toBe('invalid_kiosk_token');
  expect(await authoriseKiosk(db, now)).toMatchObject({ id: 'gate' });
  await db.close();
});

test('an operator who was disabled since stays disabled, unless nobody else could sign in', async () => {
  const { service, newOperator, backUp, restore } = await venue();
  const [left, last] = [await newOperator('Left'), await newOperator('Last')];
  await backUp();
  await newOperator('New');
  for (const id of [left, last])
    await changeOperator(service.deps, id, { disabled: true }, { reason: 'left the venue', actor });
  const { db } = await restore();
  const open = await db.all<{ name: string }>('SELECT name FROM operators WHERE disabled_at IS NULL');
  expect(open).toHaveLength(1);
  await db.close();
});

test('an invite that was revoked since stays revoked', async () => {
  const { service, companyId, backUp, restore } = await venue();
  const { db: source } = service.deps;
  const verificationId = await service.verification('of-invites');
  await source.tx((tx) =>
    tx.run(
      `INSERT INTO invites (id, code_hash, company_id, partition, verification_id, request, created_at)
       VALUES ('invite', ?, ?, 'live', ?, '{}', 0)`,
      ...[Buffer.from('code'), companyId, verificationId],
    ),
  );
  await backUp();
  await source.tx((tx) => tx.run('UPDATE invites SET revoked_at = 5'));
  const { db } = await restore();
  expect(await db.one('SELECT revoked_at AS at FROM invites')).toEqual({ at: 5 });
  await db.close();
});

test('backups after a restore open with the words that were written down last', async () => {
  const { service, backUp, restore } = await venue();
  const { deps, clock } = service;
  await renewRecoveryPhrase(deps.db, clock, actor);
  await backUp();
  await renewRecoveryPhrase(deps.db, clock, actor);
  const { db } = await restore();
  expect(await recoveryMadeAt(db)).toBe(await recoveryMadeAt(deps.db));
  await db.close();
});

test('data that cannot tell who has access is replaced anyway', async () => {
  const { service, backUp, restore } = await venue();
  await backUp();
  await service.deps.db.tx((tx) => tx.run('ALTER TABLE kiosks RENAME TO damaged'));
  const { db, accessKept } = await restore();
  expect(accessKept).toBe(0);
  await db.close();
});

test('nothing is taken from the data of another installation', async () => {
  const { backUp, restore, service, companyId } = await venue();
  await backUp();
  await service.deps.db.tx((tx) => tx.run('UPDATE operators SET disabled_at = 1'));
  const { company } = await service.otherCompany();
  const { db, accessKept } = await restore();
  expect(accessKept).toBe(0);
  expect(await db.all('SELECT DISTINCT company_id AS id FROM keys')).toEqual([{ id: companyId }]);
  expect(company.company_id).not.toBe(companyId);
  await db.close();
});
