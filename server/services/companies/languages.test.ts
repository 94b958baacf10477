import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { changeLanguages, readLanguageOffer } from './languages.ts';

const ADMIN = 'operator:1';

it('offers every language until an admin chooses, then the chosen ones, and records the previous value', async () => {
  const { deps } = await openTestService();
  expect(await readLanguageOffer(deps.db)).toEqual({
    offered: ['en', 'es', 'fr', 'de'],
    default_language: 'en',
  });
  await changeLanguages(deps, { offered: ['de', 'en'], default_language: 'de' }, ADMIN);
  expect(await readLanguageOffer(deps.db)).toEqual({ offered: ['en', 'de'], default_language: 'de' });
  const [entry] = await deps.db.all<{ actor: string; details: string }>(
    "SELECT actor, details FROM audit_entries WHERE action = 'languages.change'",
  );
  expect(entry?.actor).toBe(ADMIN);
  expect(JSON.parse(entry?.details ?? '')).toMatchObject({
    before: { default_language: 'en' },
    after: { offered: ['en', 'de'], default_language: 'de' },
  });
});

it('keeps at least one language and an offered default, and changes nothing else', async () => {
  const { deps } = await openTestService();
  const none = { offered: [], default_language: 'en' as const };
  const other = { offered: ['fr' as const], default_language: 'en' as const };
  for (const [offer, code] of [
    [none, 'no_language_offered'],
    [other, 'default_language_not_offered'],
  ] as const) {
    await expect(changeLanguages(deps, offer, ADMIN)).rejects.toMatchObject({ code });
  }
  expect((await readLanguageOffer(deps.db)).offered).toHaveLength(4);
  expect(await deps.db.all("SELECT 1 FROM audit_entries WHERE action = 'languages.change'")).toEqual([]);
});
