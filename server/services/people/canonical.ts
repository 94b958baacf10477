/** Credentials of earlier versions become canonical, and people who turn out to be one are listed (decisions §3.18). */
import type { TwinList } from '../../contract/console/people.ts';
import { canonicalEmail } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  IDENTITY_PLACES,
  type IdentityPlace,
  listOtherEmails,
  listOtherEmailsOf,
  rewriteEmail,
  type StoredEmail,
} from '../../store/people/identities.ts';
import { findIdentityOwner } from '../../store/people/people.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';

const DONE = 'identities.canonical';
const BATCH = 200;

/**
 * Rewrites what an earlier version stored, a transaction for each address, so it can be interrupted and then continues.
 * Returns whether it is done: until no older node serves, there may be more.
 */
export async function canonicaliseIdentities(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  olderNodeServes: () => Promise<boolean>,
): Promise<boolean> {
  if ((await readSetting(db, DONE)) !== null) return true;
  const isLast = !(await olderNodeServes());
  for (const place of IDENTITY_PLACES) await rewriteIn(db, place);
  if (isLast) await db.tx((tx) => writeSetting(tx, DONE, { at: clock.now() }));
  return isLast;
}

async function rewriteIn(db: Database, place: IdentityPlace): Promise<void> {
  let after: StoredEmail | null = null;
  for (;;) {
    const emails: StoredEmail[] = await listOtherEmails(db, place, after, BATCH);
    for (const email of emails) {
      const canonical = canonicalEmail(email.identifier);
      if (canonical === null || canonical.identifier === email.identifier) continue;
      await db.tx((tx) => rewriteEmail(tx, email, canonical), { companyId: email.companyId });
    }
    after = emails.at(-1) ?? null;
    if (emails.length < BATCH) return;
  }
}

/** More than an installation has; its admins work through them from the top. */
const MAX_TWINS = 200;

/** People whose address from an earlier version is another person's, now that both are canonical. */
export async function listTwins(db: SqlReader, scope: Scope): Promise<TwinList> {
  const items: TwinList['items'] = [];
  for (const { identifier, personId } of await listOtherEmailsOf(db, scope, MAX_TWINS)) {
    const canonical = canonicalEmail(identifier);
    if (canonical === null || canonical.identifier === identifier) continue;
    const holder = await findIdentityOwner(db, scope, canonical);
    if (holder === undefined || holder === personId) continue;
    items.push({ identifier, person_id: personId, same_as: canonical.identifier, other_person_id: holder });
  }
  return { items };
}
