/** Codes are sent once, after their commit, and found again after a crash. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { LANGUAGES } from '../../contract/languages.ts';
import { recordConsent } from '../../store/runs/session-holders.ts';
import { findLatestCode, insertPhoneCode, type PhoneCode } from '../../store/phone/codes.ts';
import type { Database } from '../../store/sql/port.ts';
import { NOW, seedCompany, seedSession, session } from '../../../testing/store/rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { messagesOf } from '../../../locales/node.ts';
import { changeLanguages } from '../companies/languages.ts';
import { type CodeSender, createCodeService } from './codes.ts';

const LIVE = { companyId: 'c', partition: 'live' } as const;

async function openStore(): Promise<Database> {
  const db = await openTempStore();
  await seedCompany(db, 'c');
  await seedSession(db, session(LIVE, 'v-c', 's'));
  return db;
}

const pending = (id: string, overrides: Partial<PhoneCode> = {}): PhoneCode => ({
  id,
  sessionId: 's',
  number: '+442079460958',
  code: '123456',
  sentAt: NOW,
  expiresAt: NOW + 600_000,
  triesLeft: 5,
  delivery: 'pending',
  ...overrides,
});

const insert = (db: Database, code: PhoneCode) => db.tx((tx) => insertPhoneCode(tx, LIVE, code));

function recorder(failing = false): CodeSender & { sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    async send(number, text) {
      sent.push(`${number} ${/\d{6}/.exec(text)?.[0] ?? ''}`);
      if (failing) throw new Error('The gateway is away.');
    },
  };
}

/** Starts deliveries, which poll at once, and waits until all are idle. */
async function deliver(db: Database, sender: CodeSender | null, { services = 1, clock = testClock() } = {}) {
  const errors: unknown[] = [];
  const opened = Array.from({ length: services }, () =>
    createCodeService(db, clock, sender, (error) => errors.push(error)),
  );
  onTestFinished(async () => {
    await Promise.all(opened.map((desk) => desk.close()));
  });
  await Promise.all(opened.map((desk) => desk.close()));
  return errors;
}

describe('a waiting code', () => {
  it('is sent in the language of the consent, else in the installation’s default', async () => {
    const db = await openStore();
    const texts: string[] = [];
    const sender: CodeSender = { send: async (_number, text) => void texts.push(text) };
    await insert(db, pending('a', { sessionId: null }));
    const consent = { at: NOW, version: '1', language: 'de' };
    await db.tx((tx) => recordConsent(tx, LIVE, 's', consent));
    await insert(db, pending('b', { sentAt: NOW + 1 }));
    await changeLanguages(
      { db, clock: testClock() },
      { offered: ['fr', 'de'], default_language: 'fr' },
      'cli',
    );
    await deliver(db, sender);
    expect(new Set(texts)).toEqual(
      new Set(['fr', 'de'].map((language) => messagesOf('phone', language).code({ code: '123456' }))),
    );
  });

  it('fits into one message', () => {
    for (const language of LANGUAGES) {
      const { code, test } = messagesOf('phone', language);
      expect(code({ code: '123456' }).length).toBeLessThanOrEqual(70);
      expect(test.length).toBeLessThanOrEqual(70);
    }
  });

  it('is sent with its digits, and recorded as sent', async () => {
    const db = await openStore();
    await insert(db, pending('a'));
    const sender = recorder();
    await deliver(db, sender);
    expect(sender.sent).toEqual(['+442079460958 123456']);
    expect(await findLatestCode(db, LIVE, 's')).toMatchObject({ delivery: 'sent' });
  });

  it('is sent only once by several processes', async () => {
    const db = await openStore();
    for (const id of ['a', 'b', 'c']) await insert(db, pending(id));
    const sender = recorder();
    await deliver(db, sender, { services: 4 });
    expect(sender.sent).toHaveLength(3);
  });

  it('that could not be sent is recorded as failed, with an error that contains no code', async () => {
    const db = await openStore();
    await insert(db, pending('a'));
    const errors = await deliver(db, recorder(true));
    expect(await findLatestCode(db, LIVE, 's')).toMatchObject({ delivery: 'failed' });
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).not.toContain('123456');
  });

  it('claimed by a killed process is sent when the claim has expired', async () => {
    const db = await openStore();
    await insert(db, pending('a'));
    await db.tx((tx) => tx.run('UPDATE phone_codes SET lease_until = ?', NOW + 60_000));
    const sender = recorder();
    const clock = testClock();
    await deliver(db, sender, { clock });
    expect(sender.sent).toEqual([]);
    clock.advance(60_000);
    await deliver(db, sender, { clock });
    expect(sender.sent).toHaveLength(1);
  });

  it.each([
    ['has expired', pending('a', { expiresAt: NOW })],
    ['is read out by staff or of a test number', pending('a', { delivery: 'none' })],
    ['was sent before', pending('a', { delivery: 'sent' })],
  ])('is not sent when it %s', async (_title, code) => {
    const db = await openStore();
    await insert(db, code);
    const sender = recorder();
    await deliver(db, sender);
    expect(sender.sent).toEqual([]);
  });

  it('stays for the operator if there is no sender', async () => {
    const db = await openStore();
    await insert(db, pending('a'));
    await deliver(db, null);
    expect(await findLatestCode(db, LIVE, 's')).toMatchObject({ delivery: 'pending', code: '123456' });
  });
});
