/** The console's people on a real database: search, profile, export, and erasing with a record. */
import { describe, expect, it } from 'vitest';
import type { PeopleQuery } from '../../contract/console/people.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { findTestFace } from '../../store/people/people.ts';
import { runConnected } from '../../../testing/service/connect-runs.ts';
import { NO_SKIP, passOf, run } from '../../../testing/service/runs.ts';
import { tableNames } from '../../../testing/store/temp-store.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { listKeysOfMetadata, listPersonItems } from './people.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { listSavedFilters, saveFilter } from '../../store/operators/saved-filters.ts';
import { erasePersonInConsole, listProofs, readErasureProof } from './erasure.ts';
import { exportPerson } from './export.ts';
import { readPersonHistory, readPersonProfile } from './profile.ts';

const ACTOR = 'operator:1';

async function person(service: TestService, face: string, body: InitializeRequest): Promise<string> {
  const pass = await passOf(service, await run(service, face, { ...body, ...NO_SKIP }));
  service.clock.advance(1_000);
  return pass.personId ?? '';
}

const found = async ({ deps, scope }: TestService, query: PeopleQuery) =>
  (await listPersonItems(deps.db, scope('test'), query)).items.map(({ person_id }) => person_id);

async function twoPeople(service: TestService) {
  const jose = await person(service, 'jose', {
    external_id: 'guest-1',
    email: 'jose@example.com',
    metadata: { full_name: 'José María da Silva', seat: 'A7', vip: true },
  });
  const ana = await person(service, 'ana', {
    external_id: 'guest-2',
    email: 'ana@example.com',
    metadata: { first_name: 'Ana', last_name: 'Ruiz', seat: 'B12' },
  });
  return { jose, ana };
}

describe('search', () => {
  it('finds a name by the start of its words, whatever the accents, case and order', async () => {
    const service = await openTestService();
    const { jose, ana } = await twoPeople(service);
    for (const q of ['jose', 'SILVA jo', 'maría', 'mar da']) {
      expect(await found(service, { q })).toEqual([jose]);
    }
    expect(await found(service, { q: 'ruiz, ana' })).toEqual([ana]);
    expect(await found(service, { q: 'jose ruiz' })).toEqual([]);
  });

  it('finds an email, an external id, the person’s id and a test face', async () => {
    const service = await openTestService();
    const { jose, ana } = await twoPeople(service);
    expect(await found(service, { q: 'Jose@Example.com' })).toEqual([jose]);
    expect(await found(service, { q: 'guest-2' })).toEqual([ana]);
    expect(await found(service, { q: 'guest-' })).toEqual([ana, jose]);
    expect(await found(service, { q: jose })).toEqual([jose]);
    expect(await found(service, { q: 'ana' })).toEqual([ana]);
  });

  it('finds any metadata by key and value, and follows its changes', async () => {
    const service = await openTestService();
    const { jose, ana } = await twoPeople(service);
    expect(await found(service, { key: 'seat', value: 'a7' })).toEqual([jose]);
    expect(await found(service, { key: 'vip', value: 'true' })).toEqual([jose]);
    expect(await found(service, { key: 'seat' })).toEqual([ana, jose]);
    expect(await found(service, { key: 'seat', value: 'b*' })).toEqual([ana]);
    expect(await found(service, { key: 'seat', value: '%' })).toEqual([]);
    await run(service, 'jose', { external_id: 'guest-1', metadata: { seat: 'C3' }, ...NO_SKIP });
    expect(await found(service, { key: 'seat', value: 'a7' })).toEqual([]);
    expect(await found(service, { key: 'seat', value: 'c3', q: 'silva' })).toEqual([jose]);
    const keys = await listKeysOfMetadata(service.deps.db, service.scope('test'));
    expect(keys.items).toEqual(['first_name', 'full_name', 'last_name', 'seat', 'vip']);
  });

  it('finds the person whom a v2 integration knows by its own ID', async () => {
    const service = await openTestService();
    const pass = await passOf(service, await runConnected(service, 'ana', { external_id: 'member-9' }));
    expect(await found(service, { q: 'member-9' })).toEqual([pass.personId]);
  });

  it('finds nobody in the other partition', async () => {
    const service = await openTestService();
    const { ana } = await twoPeople(service);
    const { deps, scope } = service;
    expect((await listPersonItems(deps.db, scope('live'), { q: 'ana' })).items).toEqual([]);
    expect((await listKeysOfMetadata(deps.db, scope('live'))).items).toEqual([]);
    await expect(readPersonProfile(deps, scope('live'), ana)).rejects.toThrow(Refusal);
  });
});

describe('a person', () => {
  it('is shown with accounts, groups and history, page by page', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const ana = await person(service, 'ana', { external_id: 'x', email: 'ana@example.com', group: 'day-1' });
    await person(service, 'ana', { external_id: 'x', group: 'day-2' });
    const profile = await readPersonProfile(deps, scope('test'), ana);
    expect(profile).toMatchObject({
      passes: 2,
      identities: [{ provider: 'email', identifier: 'ana@example.com' }],
      external_ids: [{ external_id: 'x' }],
      groups: [
        { group: 'day-1', passes: 1, approved: 1 },
        { group: 'day-2', passes: 1, approved: 1 },
      ],
      test_faces: ['ana'],
    });
    const first = await readPersonHistory(deps.db, scope('test'), ana, { limit: 1 });
    const second = await readPersonHistory(deps.db, scope('test'), ana, {
      limit: 1,
      cursor: first.next_cursor ?? '',
    });
    expect([...first.items, ...second.items].map(({ group }) => group)).toEqual(['day-2', 'day-1']);
  });

  it('is exported with their runs, without secrets, which is recorded', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const { ana } = await twoPeople(service);
    const exported = await exportPerson(deps, scope('test'), ana, ACTOR);
    const text = JSON.stringify(exported);
    expect(exported.history[0]?.run?.consent).not.toBeNull();
    expect(text).toContain('ana@example.com');
    expect(text).not.toMatch(/vector|"code"|vyt_|ft_|sk_|jose/);
    const [entry] = await listAuditEntries(deps.db, { action: 'person.export' }, null, 1);
    expect(entry).toMatchObject({ subject: ana, actor: ACTOR });
  });
});

describe('erasing', () => {
  const erase = ({ deps, scope }: TestService, id: string, confirm = id.slice(-8)) =>
    erasePersonInConsole(deps, scope('test'), id, { reason: 'asked for it', confirm }, ACTOR);

  it('leaves nothing to find, in any table, except a record that names nobody', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const { ana, jose } = await twoPeople(service);
    // A run that skipped the check, and one that named her account but was assigned to nobody.
    await run(service, 'ana', { external_id: 'guest-2', metadata: { seat: 'B13' } });
    await run(service, 'mallory', { external_id: 'guest-2' });
    const proof = await erase(service, ana);
    expect(proof).toMatchObject({ person_id: ana, remaining: 0, reason: 'asked for it', actor: ACTOR });
    for (const query of [{ q: 'ana' }, { q: 'guest-2' }, { q: ana }, { key: 'seat', value: 'b*' }]) {
      expect(await found(service, query)).toEqual([]);
    }
    expect(await found(service, { q: 'silva' })).toEqual([jose]);
    expect(await mentions(service, ['Ruiz', 'ana@example.com', 'guest-2', 'B12', 'B13'])).toEqual([]);
    expect(JSON.stringify(proof)).not.toMatch(/Ruiz|example\.com|guest-2/);
    expect(await readErasureProof(deps.db, scope('test'), proof.proof_id)).toEqual(proof);
    const byPerson = await listProofs(deps.db, scope('test'), { q: ana });
    expect(byPerson.items).toEqual([proof]);
    const [entry] = await listAuditEntries(deps.db, { action: 'person.erase' }, null, 1);
    expect(entry?.seq).toBe(proof.audit_seq);
  });

  it('also removes operators’ saved filters for the person, and nothing else', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { ana } = await twoPeople(service);
    await deps.db.tx(async (tx) => {
      await insertOperator(tx, {
        id: 'ben',
        name: 'Ben',
        nameKey: 'ben',
        role: 'admin',
        origin: 'cli',
        passphraseHash: '',
        passphraseChangedAt: 0,
        createdAt: 0,
      });
      const filters = {
        Ana: 'q=Ana%40Example.com&sort=new',
        account: 'q=guest-2',
        name: 'q=ruiz+ana',
        seat: 'key=seat&value=b12',
        audit: `subject=${ana}&from=2026-01-01`,
        seats: 'key=seat&value=A7',
        days: 'from=2026-01-01&to=2026-02-01',
      };
      for (const [name, query] of Object.entries(filters)) {
        await saveFilter(tx, 'ben', { id: name, page: 'people', name, query }, 0);
      }
    });
    const proof = await erase(service, ana);
    expect(proof.removed['saved_filters']).toBe(5);
    expect((await listSavedFilters(deps.db, 'ben')).map(({ name }) => name)).toEqual(['days', 'seats']);
  });

  it('makes a later run of the same face a new person', async () => {
    const service = await openTestService();
    const { ana } = await twoPeople(service);
    await erase(service, ana);
    expect(await findTestFace(service.deps.db, service.scope('test'), 'ana')).toBeUndefined();
    const again = await person(service, 'ana', { external_id: 'guest-2' });
    expect(again).not.toBe(ana);
    expect(again).not.toBe('');
  });

  it('is refused without the right short ID, or for a person of another partition', async () => {
    const service = await openTestService();
    const { ana } = await twoPeople(service);
    await expect(erase(service, ana, '00000000')).rejects.toMatchObject({ code: 'confirmation_mismatch' });
    const { deps, scope } = service;
    const elsewhere = erasePersonInConsole(
      deps,
      scope('live'),
      ana,
      { reason: 'asked for it', confirm: ana.slice(-8) },
      ACTOR,
    );
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' });
    expect(await found(service, { q: 'ana' })).toEqual([ana]);
  });
});

/** Every table and column of the database that contains one of the texts. */
async function mentions({ deps }: TestService, texts: readonly string[]): Promise<string[]> {
  const places: string[] = [];
  for (const name of await tableNames(deps.db)) {
    for (const row of await deps.db.all<Record<string, unknown>>(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
        for (const sought of texts) if (text.includes(sought)) places.push(`${name}.${column}: ${sought}`);
      }
    }
  }
  return places;
}
