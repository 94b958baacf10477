/** After the end of an event's faces PostgreSQL has them nowhere: not in a dump, nor, once it has cleaned up, in a file. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  administer,
  createTestDatabase,
  findPostgres,
  startPostgres,
  testKeys,
} from '../../../testing/postgres/server.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { onSqlite } from '../../../testing/store/temp-store.ts';
import { limitMs } from '../../../testing/tier.ts';
import { insertSealedTemplate, insertTemplate } from '../../store/matching/templates.ts';
import { insertPerson } from '../../store/people/people.ts';
import { openPostgres } from '../../store/sql/postgres/driver.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { createCompany } from '../companies/companies.ts';
import { sealFace, ticketKeyOf } from '../matching/sealed-faces.ts';
import { dueFaces, endFaces } from './faces-end.ts';

const FACE = Float32Array.from({ length: 512 }, (_, n) => Math.sin(n + 0.5));
const OF_GUEST = { personId: 'guest', passId: 'pass', model: 'test-model', quality: 1, at: NOW };
const DAY_MS = 86_400_000;
/** A part that no boundary of a page or of a stored piece cuts. */
const PART = [100, 164] as const;

it.skipIf(onSqlite)(
  'a dump has none of an event’s faces after their end, nor has any file after a vacuum and a checkpoint',
  { timeout: limitMs(30_000) },
  async () => {
    const programs = findPostgres() ?? '';
    // A log that was archived or kept for a replica has them for as long as its owner keeps it.
    const { folder, stop } = await startPostgres(programs, () => ({
      wal_recycle: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
    }));
    onTestFinished(stop);
    const url = await createTestDatabase(folder, 'evening');
    const db = await openPostgres({ url, keys: testKeys });
    onTestFinished(() => db.close());
    const company = await createCompany(db, testClock(), { name: 'Venue', actor: 'cli' });
    const scope = { companyId: company.company_id, partition: 'test' as const };
    await db.tx(async (tx) => {
      await insertEvent(
        tx,
        venueEvent(scope, company.default_verification_id, 'event-0', { faces: 'event' }),
      );
      await insertPerson(tx, scope, 'guest', NOW);
      await insertTemplate(tx, { ...scope, eventId: 'event-0' }, { ...OF_GUEST, vector: FACE });
      // Sealed with a ticket as well, under a key that nobody stores.
      const seal = { ticketId: 'ticket', key: ticketKeyOf('ADA-1', 'ticket') };
      await insertSealedTemplate(
        tx,
        { ...scope, eventId: 'event-0' },
        { ...OF_GUEST, passId: 'later', box: sealFace(seal, 'guest', FACE) },
      );
    }, scope);
    const [row] = await administer<{ vector: Buffer }>(url, 'SELECT vector FROM templates ORDER BY seq');
    const sealed = (row?.vector ?? Buffer.alloc(0)).subarray(...PART);
    expect(sealed).toHaveLength(PART[1] - PART[0]);
    const dump = () =>
      execFileSync(path.join(programs, 'pg_dump'), ['--dbname', url], { maxBuffer: 2 ** 28 });
    const inDump = (bytes: Buffer) => dump().includes(bytes.toString('hex'));
    const files = () =>
      readdirSync(path.join(folder, 'data'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
    const filesWith = (bytes: Buffer) => files().filter((file) => readFileSync(file).includes(bytes));
    const plain = Buffer.from(FACE.buffer).subarray(...PART);

    await administer(url, 'CHECKPOINT');
    expect([inDump(sealed), filesWith(sealed).length > 0]).toEqual([true, true]);
    expect([inDump(plain), filesWith(plain)]).toEqual([false, []]);

    const clock = testClock(NOW + 90 * DAY_MS);
    expect(await endFaces(db, clock, await dueFaces(db, clock.now()))).toBe(2);
    expect(inDump(sealed)).toBe(false);
    await administer(url, 'VACUUM FULL templates');
    await administer(url, 'SELECT pg_switch_wal()');
    await administer(url, 'CHECKPOINT');
    await administer(url, 'CHECKPOINT');
    expect(filesWith(sealed)).toEqual([]);
  },
);
