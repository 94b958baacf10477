/** Two people with the same form open: what one changed is never reverted by the other (decisions §8.2). */
import { describe, expect, it } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { WEBHOOK_TYPE } from '../../../testing/service/webhooks.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { changeBackups, readBackups } from '../backup/settings.ts';
import { changeDailyLimit, listAllCompanies } from '../companies/companies.ts';
import { changeCompany, readPrivacyContact } from '../companies/details.ts';
import { changeLanguages, readLanguages } from '../companies/languages.ts';
import { editVerification, readVerification } from '../companies/manage-verifications.ts';
import { changeVenueZone, readVenueZones } from '../companies/zones.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { changeMatching, readMatching } from '../matching/settings.ts';
import { changeLan, lanSettings } from '../network/manage.ts';
import { readLanSetting } from '../network/setting.ts';
import { createOperator } from '../operators/operators.ts';
import { listOperatorRecords } from '../operators/records.ts';
import { changeOperator } from '../operators/change.ts';
import { readRetentionSettings, saveRetention } from '../people/retention-settings.ts';
import { changeSms, readSmsSettings } from '../phone/settings.ts';
import { changeLimitSettings, readLimitSettings } from '../rate-limits/settings.ts';
import { addKiosk, changeKiosk, readKiosks } from '../venue/kiosks.ts';
import { changeEvent, createEvent, readEvent } from '../venue/events.ts';
import { versionOf } from './versions.ts';
import { createOrEditConfig } from '../webhooks/admin.ts';
import { readAllowHosts, saveAllowHosts } from '../webhooks/allow-list.ts';
import { readLine } from '../webhooks/manage.ts';

type Sent = Record<string, unknown>;
type Form = {
  read: () => Promise<Sent & { version: string }>;
  save: (change: Sent, actor: Actor) => Promise<unknown>;
};
type Opened = TestService & { installed: ReturnType<typeof testInstallation> & TestService['deps'] };

const WHY = { reason: 'a longer night' };
/** The schema of each route has checked what it is given. */
const typed = <T extends object>(change: Sent): T => change as T;

/** Each form of the console that changes something: how it is read and saved, and a first and a second change. */
const FORMS: Record<string, { open: (at: Opened) => Promise<Form>; mine: Sent; theirs: Sent; other?: Sent }> =
  {
    retention: {
      open: async ({ deps }) => ({
        read: async () => {
          const { days, version } = await readRetentionSettings(deps);
          return { ...days, version };
        },
        save: (change, actor) => saveRetention(deps, change, actor),
      }),
      mine: { case_frames: 10 },
      theirs: { case_frames: 20 },
      other: { abandoned_run: 60 },
    },
    backups: {
      open: async ({ installed }) => ({
        read: async () => {
          const { settings, version } = await readBackups(installed);
          return { ...settings, version };
        },
        save: (change, actor) => changeBackups(installed, change, actor),
      }),
      mine: { keep: 3 },
      theirs: { keep: 4 },
      other: { is_on: false },
    },
    limits: {
      open: async ({ deps }) => ({
        read: async () => ({ ...(await readLimitSettings(deps)) }),
        save: (change, actor) => changeLimitSettings(deps, change, actor),
      }),
      mine: { own_codes_per_day: 10 },
      theirs: { own_codes_per_day: 20 },
      other: { sessions_per_hour: 100 },
    },
    languages: {
      open: async ({ deps }) => ({
        read: async () => ({ ...(await readLanguages(deps.db)) }),
        save: (change, actor) => changeLanguages(deps, change, actor),
      }),
      mine: { offered: ['en', 'fr', 'de'] },
      theirs: { offered: ['en', 'es', 'fr'] },
      other: { default_language: 'fr' },
    },
    SMS: {
      open: async ({ installed }) => {
        const twilio = {
          sender: 'twilio',
          account_sid: 'AC1',
          auth_token: 't1',
          from: '+15005550001',
        } as const;
        await changeSms(installed, twilio, 'cli');
        return {
          read: async () => ({ ...(await readSmsSettings(installed)) }),
          save: (change, actor) => changeSms(installed, change, actor),
        };
      },
      mine: { from: '+15005550006' },
      theirs: { from: '+15005550007' },
      other: { account_sid: 'AC2' },
    },
    'webhook hosts': {
      open: async ({ deps }) => ({
        read: async () => {
          const hosts = await readAllowHosts(deps.db);
          return { hosts, version: versionOf({ hosts }) };
        },
        save: (change, actor) =>
          saveAllowHosts(deps.db, deps.clock, { ...typed<{ hosts: string[] }>(change), actor }),
      }),
      mine: { hosts: ['mine.example'] },
      theirs: { hosts: ['theirs.example'] },
    },
    'network mode': {
      open: async ({ installed, deps }) => {
        const by = (actor: Actor) => ({ actor, hasSecondFactor: true });
        const lan = installed.lan;
        return {
          read: async () => {
            const { isOn: is_on, isConsoleOpen: is_console_open } = await readLanSetting(deps.db);
            const { version } = await lanSettings(deps, lan.state());
            return { is_on, is_console_open, version };
          },
          save: (change, actor) => changeLan({ ...deps, lan }, change, by(actor)),
        };
      },
      mine: { is_on: true },
      theirs: { is_on: true },
    },
    'matching margin': {
      open: async ({ deps, scope }) => ({
        read: async () => ({ ...(await readMatching(deps, scope('live'))) }),
        save: (change, actor) =>
          changeMatching(deps, { ...WHY, ...typed<{ margin: number }>(change) }, actor),
      }),
      mine: { margin: 0.02 },
      theirs: { margin: 0.03 },
      other: { second_opinion_below: 0.6 },
    },
    'time zone': {
      open: async ({ deps, company: { company_id: companyId } }) => ({
        read: async () => {
          const zone = (await readVenueZones(deps.db))[companyId] ?? null;
          return { zone, version: versionOf({ zone }) };
        },
        save: (change, actor) =>
          changeVenueZone(deps, { companyId, actor, ...typed<{ zone: string | null }>(change) }),
      }),
      mine: { zone: 'Europe/Berlin' },
      theirs: { zone: 'Europe/Madrid' },
    },
    'name and contact': {
      open: async ({ deps, company: { company_id: companyId } }) => ({
        read: async () => {
          const { name } = (await listAllCompanies(deps.db))[0]!;
          const fields = { name, privacy_contact: await readPrivacyContact(deps.db, companyId) };
          return { ...fields, version: versionOf(fields) };
        },
        save: (change, actor) => changeCompany(deps, { companyId, change, actor }),
      }),
      mine: { name: 'Arena North' },
      theirs: { name: 'Arena South' },
      other: { privacy_contact: 'Desk 1' },
    },
    cap: {
      open: async ({ deps, company: { company_id: companyId } }) => ({
        read: async () => {
          const { daily_limit } = (await listAllCompanies(deps.db))[0]!;
          return { daily_limit, version: versionOf({ daily_limit }) };
        },
        save: ({ daily_limit, version }, actor) =>
          changeDailyLimit(deps.db, deps.clock, {
            companyId,
            dailyLimit: daily_limit as number,
            version: version as string | undefined,
            actor,
          }),
      }),
      mine: { daily_limit: 10 },
      theirs: { daily_limit: 20 },
    },
    event: {
      open: async ({ deps, scope }) => {
        const times = { starts_at: '2030-01-01T18:00Z', ends_at: '2030-01-02T02:00Z' };
        const { event_id: id } = await createEvent(deps, scope('live'), { name: 'Gala', ...times }, 'cli');
        return {
          read: async () => ({ ...(await readEvent(deps, scope('live'), id)) }),
          save: (change, actor) => changeEvent(deps, scope('live'), id, { ...WHY, ...change }, actor),
        };
      },
      mine: { name: 'Gala 2030' },
      theirs: { name: 'Winter gala' },
      other: { ends_at: '2030-01-02T04:00:00.000Z' },
    },
    'words of an event': {
      open: async ({ deps, scope }) => {
        const times = { starts_at: '2030-01-01T18:00Z', ends_at: '2030-01-02T02:00Z' };
        const { event_id: id } = await createEvent(deps, scope('live'), { name: 'Gala', ...times }, 'cli');
        return {
          read: async () => ({ ...(await readEvent(deps, scope('live'), id)) }),
          save: (change, actor) => changeEvent(deps, scope('live'), id, { ...WHY, ...change }, actor),
        };
      },
      mine: { words: { en: { welcome: 'Hello' } } },
      theirs: { words: { en: { welcome: 'Welcome' } } },
      other: { words: { de: { welcome: 'Hallo' } } },
    },
    kiosk: {
      open: async ({ deps, company: { company_id: companyId } }) => {
        const { kiosk } = await addKiosk(deps, companyId, { name: 'Gate', event_id: null }, 'cli');
        const { event_id } = await createEvent(
          deps,
          { companyId, partition: 'live' },
          { name: 'Gala', starts_at: '2030-01-01T18:00Z', ends_at: '2030-01-02T02:00Z' },
          'cli',
        );
        return {
          read: async () => ({ ...(await readKiosks(deps, companyId))[0]! }),
          save: (change, actor) =>
            changeKiosk(
              deps,
              companyId,
              kiosk.kiosk_id,
              'event_id' in change && change['event_id'] === 'gala' ? { ...change, event_id } : change,
              actor,
            ),
        };
      },
      mine: { name: 'North gate' },
      theirs: { name: 'South gate' },
      other: { event_id: 'gala' },
    },
    verification: {
      open: async ({ deps, company: { company_id: companyId, default_verification_id: id } }) => ({
        read: async () => ({ ...(await readVerification(deps, companyId, id)) }),
        save: (change, actor) => editVerification(deps, id, change, { companyId, actor }),
      }),
      mine: { origin: 'https://mine.example' },
      theirs: { origin: 'https://theirs.example' },
      other: { config: { skip: { window_hours: 5 } } },
    },
    'options of a verification': {
      open: async ({ deps, company: { company_id: companyId, default_verification_id: id } }) => ({
        read: async () => ({ ...(await readVerification(deps, companyId, id)) }),
        save: (change, actor) => editVerification(deps, id, change, { companyId, actor }),
      }),
      mine: { config: { skip: { window_hours: 5 } } },
      theirs: { config: { skip: { window_hours: 6 } } },
      other: { config: { collision: { action: 'flag' } } },
    },
    operator: {
      open: async ({ deps, company }) => {
        const boss = { name: 'Boss', role: 'admin', origin: 'console', actor: 'cli' } as const;
        await createOperator(deps, boss);
        const { operator } = await createOperator(deps, {
          name: 'Eve',
          role: 'staff',
          origin: 'console',
          actor: 'cli',
        });
        const id = operator.operator_id;
        const all = { all: null, one: [company.company_id] };
        return {
          read: async () => ({
            ...(await listOperatorRecords(deps)).find(({ operator_id }) => operator_id === id)!,
          }),
          save: ({ version, role, companies }, actor) =>
            changeOperator(
              deps,
              id,
              {
                role: role as 'admin' | undefined,
                companyIds: companies === undefined ? undefined : all[companies as 'one'],
                version: version as string | undefined,
              },
              { ...WHY, actor },
            ),
        };
      },
      mine: { role: 'reviewer' },
      theirs: { role: 'admin' },
      other: { companies: 'one' },
    },
    'webhook destination': {
      open: async (at) => {
        const { deps, scope } = at;
        const row = await deps.db.one<{ id: string }>(
          "SELECT lineage_id AS id FROM keys WHERE company_id = ? AND partition = 'live' AND kind = 'ak'",
          at.company.company_id,
        );
        const owner = { scope: scope('live'), lineageId: row!.id };
        const type = WEBHOOK_TYPE;
        return {
          read: async () => {
            const { destinations, unset_version } = await readLine(deps, owner.scope, owner.lineageId);
            const item = destinations.find(({ webhook_type }) => webhook_type === type);
            return { version: item?.version ?? unset_version, destination_url: item?.destination_url };
          },
          save: (change, actor) =>
            createOrEditConfig(
              { ...deps, webhooks: deps.webhooks },
              owner,
              { webhook_type: type, ...typed<{ destination_url: string }>(change) },
              actor,
            ),
        };
      },
      mine: { destination_url: 'https://mine.example/hooks' },
      theirs: { destination_url: 'https://theirs.example/hooks' },
    },
  };

const ANA: Actor = 'operator:ana';
const BEN: Actor = 'cli';

async function opened(form: (typeof FORMS)[string]) {
  const service = await openTestService();
  const installed = { ...service.deps, ...testInstallation(service.deps.db, service.clock) };
  return form.open({ ...service, installed });
}

const conflictOf = (error: unknown) => (error instanceof Refusal ? error.facts.conflict : null);

const SINGLE = new Set(['network mode']);
const CONFLICTING = Object.entries(FORMS).filter(([name]) => !SINGLE.has(name));

describe.each(CONFLICTING)('%s', (_name, form) => {
  it('refuses to replace a value that somebody else has set, and says both and who', async () => {
    const { read, save } = await opened(form);
    const { version } = await read();
    await save(form.theirs, BEN);
    const error = await save({ ...form.mine, version }, ANA).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'changed_meanwhile' });
    const [field] = conflictOf(error)?.fields ?? [];
    expect(field).toMatchObject({ changed_by: 'cli' });
    expect(JSON.stringify(form.mine)).toContain(JSON.stringify(field?.yours));
    expect(JSON.stringify(form.theirs)).toContain(JSON.stringify(field?.theirs));
    expect(await read()).toMatchObject(form.theirs.companies === undefined ? form.theirs : {});
  });

  it('takes the same change again once the other value was seen', async () => {
    const { read, save } = await opened(form);
    const { version } = await read();
    await save(form.theirs, BEN);
    const error: unknown = await save({ ...form.mine, version }, ANA).catch((thrown: unknown) => thrown);
    await save({ ...form.mine, version: conflictOf(error)?.version }, ANA);
    expect(await read()).toMatchObject(form.mine);
  });

  it('of two saved at the same time one is kept and the other refused', async () => {
    const { read, save } = await opened(form);
    const { version } = await read();
    const results = await Promise.allSettled([
      save({ ...form.mine, version }, ANA),
      save({ ...form.theirs, version }, BEN),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('without a version it is as before: the last one counts', async () => {
    const { read, save } = await opened(form);
    await save(form.theirs, BEN);
    await save(form.mine, ANA);
    expect(await read()).toMatchObject(form.mine);
  });
});

const WITH_OTHER = Object.entries(FORMS).filter(([, { other }]) => other !== undefined);

it.each(WITH_OTHER)(
  '%s: changes to different fields both survive, at the same time too',
  async (_name, form) => {
    const { read, save } = await opened(form);
    const { version } = await read();
    await Promise.all([save({ ...form.mine, version }, ANA), save({ ...form.other, version }, BEN)]);
    const now = await read();
    expect(now).toMatchObject(form.mine);
    if (form.other?.['companies'] !== undefined) expect(now['company_ids']).toHaveLength(1);
    else if (form.other?.['event_id'] !== undefined) expect(now['event_id']).not.toBeNull();
    else expect(now).toMatchObject(form.other ?? {});
  },
);

it('network mode: a whole form that was open for long changes only what its user changed', async () => {
  const { read, save } = await opened(FORMS['network mode']!);
  const { version } = await read();
  await save({ is_on: true, is_console_open: true }, BEN);
  // Another admin turns on what they saw off; the console stays open.
  await save({ is_on: true, is_console_open: false, version }, ANA);
  expect(await read()).toMatchObject({ is_on: true, is_console_open: true });
});
