/** The languages offered to guests in the whole installation, on every page. */
import type { LanguageChange, LanguageSettings } from '../../contract/console/settings.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { EVERY_LANGUAGE, isLanguage, type LanguageOffer } from '../../contract/languages.ts';
import { offerFault, type OfferFault, tidyOffer } from '../../domain/companies/language-offer.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { changedNames, type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';

const SETTING = 'languages';

/**
 * The current setting. One that this version does not support, such as an older one after a restore, offers every
 * language.
 */
export async function readLanguageOffer(db: SqlReader): Promise<LanguageOffer> {
  const stored = await readSetting<LanguageOffer>(db, SETTING);
  if (stored === null) return EVERY_LANGUAGE;
  const offer = { ...stored, offered: stored.offered.filter(isLanguage) };
  return offerFault(offer) === null ? offer : EVERY_LANGUAGE;
}

const OFFER_ERRORS = {
  none_offered: 'no_language_offered',
  default_not_offered: 'default_language_not_offered',
} as const satisfies Record<OfferFault, string>;

export async function readLanguages(db: SqlReader): Promise<LanguageSettings> {
  const { offered, default_language } = await readLanguageOffer(db);
  const fields = { offered, default_language };
  return { ...fields, version: versionOf(fields) };
}

/**
 * Applies to pages opened from now on.
 * @throws Refusal `no_language_offered`, `default_language_not_offered`, `changed_meanwhile`
 */
export async function changeLanguages(
  { db, clock }: { db: Database; clock: Clock },
  { version, ...sent }: LanguageChange,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    const before = await readLanguageOffer(tx);
    const { offered, default_language } = before;
    const current = { offered, default_language };
    const log: ChangeLog = { subject: 'installation', actions: ['languages.change'] };
    const offer = { ...current, ...(await mergeChange(tx, { version, current, sent, log })) };
    const fault = offerFault(offer);
    if (fault !== null) throw new Refusal(OFFER_ERRORS[fault]);
    const after = tidyOffer(offer);
    await changeSetting(tx, SETTING, after, {
      at: clock.now(),
      actor,
      action: 'languages.change',
      details: { before, after, changed: changedNames({ ...before }, after) },
    });
  });
}
