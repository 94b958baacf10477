import { expect, it, vi } from 'vitest';
import { seedCompany } from '../../testing/store/rows.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { openDatabase } from '../data/folder.ts';
import { paperFacts } from '../domain/papers/facts.fixture.ts';
import { writeSetting } from '../store/settings.ts';
import { privacyAssessment, privacyRecord } from './papers.ts';

it('a paper that was kept is printed as Markdown or JSON in the language asked for; without one, the command says how to keep one', async () => {
  const folder = tempDir();
  const values = { 'data-dir': folder, company: 'acme' };
  const seeded = await openDatabase(folder);
  await seedCompany(seeded, 'acme');
  await seeded.close();
  await expect(privacyRecord({ values, positionals: [] })).rejects.toThrow('Keep this version');
  const db = await openDatabase(folder);
  const kept = { id: 'one', at: Date.UTC(2030, 4, 15), by: 'cli', facts: paperFacts() };
  await db.tx((tx) => writeSetting(tx, 'privacy_papers/acme/live', [kept]));
  await db.close();
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await privacyRecord({ values: { ...values, language: 'de' }, positionals: [] });
  expect(String(said.mock.lastCall?.[0])).toMatch(
    /^# Verzeichnis der Verarbeitungstätigkeiten\n\nBlue Room · Artikel 30 DSGVO/,
  );
  expect(await privacyAssessment({ values: { ...values, json: true }, positionals: [] })).toMatchObject({
    organiser: 'Blue Room',
    written_at: '2030-05-15T00:00:00.000Z',
  });
  vi.restoreAllMocks();
});
