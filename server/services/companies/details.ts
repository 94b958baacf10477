/** What a company is called, and whom its guests ask about their data. */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCompany, listCompanies, renameCompany } from '../../store/companies/companies.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { notFound } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';
import { changedNames, mergeChange } from '../wire/versions.ts';
import { findDemoCompany, readCompanyName } from './companies.ts';

/** One setting for each company, so that a change takes the lock of that company only. */
const contactSetting = (companyId: string): string => `privacy_contact/${companyId}`;

export const readPrivacyContact = (db: SqlReader, companyId: string): Promise<string | null> =>
  readSetting<string>(db, contactSetting(companyId));

export const forgetContact = (tx: SqlTx, companyId: string): Promise<void> =>
  writeSetting(tx, contactSetting(companyId), null);

type CompanyDetails = { name: string; privacy_contact: string | null };
export type CompanyChange = Partial<CompanyDetails> & { version?: string | undefined };

/**
 * Changes what is given. An empty contact is none.
 * @throws Refusal `not_found`, `changed_meanwhile`, `name_unseen`, `name_looks_alike`
 */
export async function changeCompany(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { companyId, change, actor }: { companyId: string; change: CompanyChange; actor: Actor },
): Promise<CompanyDetails> {
  return db.tx(
    async (tx) => {
      const company = await findCompany(tx, companyId);
      if (!company) throw notFound();
      const before = { name: company.name, privacy_contact: await readPrivacyContact(tx, companyId) };
      const contact = change.privacy_contact;
      const merged = await mergeChange(tx, {
        version: change.version,
        current: before,
        sent: {
          name: change.name?.trim(),
          privacy_contact: contact === undefined ? undefined : contact?.trim() || null,
        },
        log: { subject: companyId, actions: ['company.change'], companyId },
      });
      const after: CompanyDetails = { ...before, ...merged };
      if (after.name !== before.name) {
        after.name = await readCompanyName(tx, after.name, companyId);
        await renameCompany(tx, companyId, after.name);
      }
      if (after.privacy_contact !== before.privacy_contact) {
        await writeSetting(tx, contactSetting(companyId), after.privacy_contact);
      }
      if (JSON.stringify(after) !== JSON.stringify(before)) {
        await appendAudit(tx, {
          at: clock.now(),
          actor,
          action: 'company.change',
          companyId,
          subject: companyId,
          details: { from: before, to: after, changed: changedNames(before, after) },
        });
      }
      return after;
    },
    { companyId },
  );
}

/** Whom to ask where nothing says which company knows the guest: the only one, apart from the demo. */
export async function onlyContact(
  db: SqlReader,
): Promise<{ organiser: string | null; privacy_contact: string | null }> {
  const demoId = await findDemoCompany(db);
  const own = (await listCompanies(db)).filter(({ id }) => id !== demoId);
  const [company] = own;
  if (!company || own.length > 1) return { organiser: null, privacy_contact: null };
  return { organiser: company.name, privacy_contact: await readPrivacyContact(db, company.id) };
}
