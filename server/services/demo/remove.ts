/** Removes the demo company with everything in it. Only the entries of the audit log stay, because their chain has to. */
import type { Actor } from '../../domain/operators/actor.ts';
import { findCompany, listCompanies } from '../../store/companies/companies.ts';
import { removeCompany } from '../../store/companies/remove.ts';
import { countPeopleAndSessions, listLimitedTo, listOperatorsNamed } from '../../store/demo/demo.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { DemoRemoved } from '../../contract/console/settings.ts';
import { findDemo, type SavedDemo, saveDemo } from '../companies/companies.ts';
import { forgetContact } from '../companies/details.ts';
import { forgetPapers } from '../papers/papers.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';
import { isBeingMade } from './state.ts';
import { DEMO_OPERATORS } from './tenant.ts';

/**
 * Keeps its operators if they were put to use. Interrupted, it leaves a part, which the next call removes.
 * @throws Refusal `not_found`, `demo_under_way`, `only_company`, `operators_without_company`
 */
export async function removeDemo(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { actor, reason }: { actor: Actor; reason: string },
): Promise<DemoRemoved> {
  const { demo, name } = await removable(db, clock.now());
  const { company_id: companyId } = demo;
  const counts = await countPeopleAndSessions(db, companyId);
  const operators = demo.operator_ids ?? (await listOperatorsNamed(db, DEMO_OPERATORS));
  await removeCompany(db, companyId, operators, async (tx) => {
    // Nobody may have removed the other company, or been limited to this one, since the first look.
    if ((await removable(tx, clock.now())).demo.company_id !== companyId) throw notFound();
    await saveDemo(tx, null);
    await forgetContact(tx, companyId);
    await forgetPapers(tx, companyId);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'company.remove',
      subject: companyId,
      details: { from: name, ...counts, reason },
    });
  });
  await db.truncateLog();
  return { company_id: companyId, company_name: name, people: counts.people, checks: counts.sessions };
}

async function removable(db: SqlReader, now: number): Promise<{ demo: SavedDemo; name: string }> {
  const demo = await findDemo(db);
  const company = demo && (await findCompany(db, demo.company_id));
  if (!demo || !company) throw notFound();
  if (isBeingMade(demo, now)) throw new Refusal('demo_under_way');
  if ((await listCompanies(db)).length === 1) throw new Refusal('only_company');
  const limited = await listLimitedTo(db, company.id);
  if (limited.length > 0)
    throw new Refusal('operators_without_company', { args: { names: limited.join(', ') } });
  return { demo, name: company.name };
}
