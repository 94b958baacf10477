/** The papers are written from the settings in force: each setting is changed as an admin does, and found again. */
import { expect, it } from 'vitest';
import { consoleDeps, openConsoleServer } from '../../../testing/service/console-server.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import type { PaperView } from '../../contract/console/papers.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { changeCompany } from '../companies/details.ts';
import { changeVenueZone } from '../companies/zones.ts';
import { changeOidc } from '../operators/oidc-setting.ts';
import { createOperator } from '../operators/operators.ts';
import { saveRetention } from '../people/retention-settings.ts';
import { changeSms } from '../phone/settings.ts';
import { changeTicketRules } from '../tickets/rules.ts';
import { createWebhook } from '../webhooks/v3-webhooks.ts';
import { readFacts } from './facts.ts';
import { forgetPapers, keepPapers, readKeptPaper, readPaper } from './papers.ts';

const ACTOR = 'operator:ana';

it('facts are the settings in force of one company and partition', async () => {
  const service = await openTestService();
  const { company } = service;
  const deps = await consoleDeps(service);
  const { db } = deps;
  const companyId = company.company_id;
  const scope = service.scope('live');
  await changeCompany(deps, { companyId, change: { privacy_contact: 'ask@venue.example' }, actor: ACTOR });
  await changeVenueZone(deps, { companyId, zone: 'Europe/Berlin', actor: ACTOR });
  await saveRetention(deps, { template_inactive: 200, case_frames: 5 }, ACTOR);
  await db.tx((tx) =>
    insertEvent(
      tx,
      venueEvent(scope, company.default_verification_id, 'gala', {
        guestPhotoDays: 3,
        fastLane: true,
        faces: 'event',
        facesDays: 2,
      }),
    ),
  );
  await db.tx((tx) =>
    insertSource(tx, scope, {
      id: 'source',
      eventId: 'gala',
      kind: 'pretix',
      name: 'Shop',
      config: { url: 'https://shop.example/with/path', token: 'secret-token' },
      state: {},
      createdAt: NOW,
      updatedAt: NOW,
    }),
  );
  await changeTicketRules(deps, scope, { eventId: 'gala', change: { keep_days: 12 }, actor: ACTOR });
  await createWebhook(deps, { scope, actor: ACTOR }, { url: 'https://hooks.example/path?key=hook-key' });
  await changeSms(
    deps,
    { sender: 'http', url: 'https://sms.example/send?key=sms-key&to={to}&text={text}' },
    ACTOR,
  );
  await changeOidc(
    deps,
    {
      enabled: true,
      label: 'Sign-on',
      issuer: 'https://login.example',
      client_id: 'gatehouse',
      secret: 'oidc-secret',
      staff_groups: 'staff',
    },
    ACTOR,
  );
  await service.verification('shop', { origin: 'https://tickets.example' });
  await createOperator(deps, { name: 'Ana', role: 'admin', origin: 'cli', actor: 'cli' });
  await createOperator(deps, {
    name: 'Ben',
    role: 'staff',
    origin: 'cli',
    actor: 'cli',
    companyIds: [companyId],
  });

  const facts = await readFacts(deps, scope);
  expect(facts).toMatchObject({
    organiser: 'Venue',
    contact: 'ask@venue.example',
    zone: 'Europe/Berlin',
    events: [
      {
        id: 'gala',
        fastLane: true,
        photoDays: 3,
        ticketDays: 12,
        codeDays: null,
        faces: 'event',
        facesDays: 2,
      },
    ],
    hasEarlierEvents: false,
    days: { faces: 200, casePictures: 5, unfinished: 90 },
    operators: { admins: 1, reviewers: 0, staff: 1, protected: 0 },
    recipients: [
      { kind: 'webhook', host: 'hooks.example' },
      { kind: 'site', host: 'tickets.example' },
      { kind: 'sms', host: 'sms.example' },
      { kind: 'tickets', host: 'shop.example' },
      { kind: 'provider', host: 'login.example' },
    ],
    engine: db.engine,
    guests: 100,
  });
  // Addresses carry keys, and nothing of a secret is a fact.
  expect(JSON.stringify(facts)).not.toMatch(/secret|hook-key|sms-key|path/);

  const test = await readFacts(deps, service.scope('test'));
  expect([test.events, test.days.faces]).toEqual([[], 30]);
  expect(test.recipients.map(({ kind }) => kind)).toEqual(['site', 'sms', 'provider']);
  const other = await service.otherCompany();
  const foreign = await readFacts(deps, { companyId: other.company.company_id, partition: 'live' });
  expect([foreign.organiser, foreign.contact, foreign.events]).toEqual(['Other venue', null, []]);
  // Ben is limited to the first company.
  expect(foreign.operators).toMatchObject({ admins: 1, staff: 0 });
});

it('an admin reads the record in the language asked for', async () => {
  const { as } = await openConsoleServer();
  const admin = await as('admin');
  const { body } = await admin.call('GET', '/papers/record?language=de');
  const { paper, organiser } = body as PaperView;
  expect([organiser, paper.title]).toEqual(['Venue', 'Verzeichnis der Verarbeitungstätigkeiten']);
  expect((await admin.call('GET', '/papers/diary')).status).toBe(422);
});

it('an admin keeps what the papers are written from, and sees what changes later as it was and as it is', async () => {
  const service = await openTestService();
  const deps = await consoleDeps(service);
  const { db } = deps;
  const scope = service.scope('live');
  const { operator } = await createOperator(deps, {
    name: 'Ana',
    role: 'admin',
    origin: 'cli',
    actor: 'cli',
  });
  const actor = `operator:${operator.operator_id}` as const;
  const read = (version?: string) => readPaper(deps, scope, { paper: 'record', language: 'en', version });
  expect(await read()).toMatchObject({ kept: [], shown: null, is_changed: false, differences: [] });
  const kept = await keepPapers(deps, scope, actor);
  expect(kept.kept_by).toBe('Ana');
  const asked = { paper: 'assessment', language: 'fr' } as const;
  expect((await readKeptPaper(db, scope, asked))?.paper.title).toContain('Analyse d’impact');
  expect(await readKeptPaper(db, service.scope('test'), asked)).toBeNull();
  // Nothing has changed, so there is nothing to keep.
  service.clock.advance(60_000);
  expect(await keepPapers(deps, scope, actor)).toEqual(kept);

  await saveRetention(deps, { case_frames: 5 }, actor);
  const now = await read();
  expect(now).toMatchObject({ shown: null, is_changed: true, kept: [kept] });
  expect(now.differences).toEqual([
    {
      section: 'Data, and how long it is kept',
      title: 'Pictures of a check in review',
      was: ['Up to three. Deleted 30 days after the decision.'],
      is: ['Up to three. Deleted 5 days after the decision.'],
    },
  ]);
  const then = await read(kept.kept_id);
  expect([then.shown, then.written_at]).toEqual([kept.kept_id, kept.kept_at]);
  expect(JSON.stringify(then.paper)).toContain('Deleted 30 days after the decision');

  const entries = await db.all<{ actor: string; companyId: string }>(
    "SELECT actor, company_id AS companyId FROM audit_entries WHERE action = 'papers.keep'",
  );
  expect(entries).toEqual([{ actor, companyId: scope.companyId }]);
  // Of one company and partition only.
  const inTest = await readPaper(deps, service.scope('test'), { paper: 'record', language: 'en' });
  expect(inTest.kept).toEqual([]);
  const foreign = {
    companyId: (await service.otherCompany()).company.company_id,
    partition: 'live',
  } as const;
  const request = { paper: 'record', language: 'en', version: kept.kept_id } as const;
  expect(await refusalOf(readPaper(deps, foreign, request))).toBe('not_found');
  await db.tx((tx) => forgetPapers(tx, scope.companyId));
  expect((await read()).kept).toEqual([]);
});

it('the latest 20 are kept, and a fact that a version before did not know differs in nothing', async () => {
  const service = await openTestService();
  const deps = await consoleDeps(service);
  const scope = service.scope('live');
  for (let days = 1; days <= 22; days += 1) {
    await saveRetention(deps, { case_frames: days }, ACTOR);
    service.clock.advance(1_000);
    await keepPapers(deps, scope, ACTOR);
  }
  const { kept } = await readPaper(deps, scope, { paper: 'record', language: 'en' });
  expect(kept).toHaveLength(20);
  expect(kept.map(({ kept_at }) => kept_at)).toEqual(
    kept
      .map(({ kept_at }) => kept_at)
      .sort()
      .reverse(),
  );

  const name = `privacy_papers/${scope.companyId}/live`;
  const [newest] = (await readSetting<{ facts: Record<string, unknown> }[]>(deps.db, name)) ?? [];
  const { kiosks: _kiosks, ...fewer } = newest?.facts ?? {};
  await deps.db.tx((tx) => writeSetting(tx, name, [{ ...newest, facts: fewer }]));
  const { differences } = await readPaper(deps, scope, { paper: 'record', language: 'en' });
  expect(differences).toEqual([]);
});
