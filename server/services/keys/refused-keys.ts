import { findKeyByHash } from '../../store/keys/keys.ts';
import type { Ports } from '../ports.ts';
import type { RefusalLog } from './refusals.ts';
import { sha256 } from '../ids.ts';

/** Publishable keys are sent by guests' browsers, whose addresses stay out of the audit log. */
const PUBLISHABLE = /^pk_/;

/** Records the use of an inactive key in the audit log: by its ID if it was once active, never by its text. */
export async function noteRefusedKey(
  { db, refusals }: Pick<Ports, 'db'> & { refusals: RefusalLog },
  text: string,
  address: string,
): Promise<void> {
  const key = await findKeyByHash(db, sha256(text));
  refusals.note({
    action: 'key.refused',
    subject: key?.id ?? 'unknown key',
    scope: key ? { companyId: key.companyId, partition: key.partition } : null,
    source: PUBLISHABLE.test(text) ? null : address,
    details: { kind: /^(pk|sk|ak)_(live|test)_/.exec(text)?.[0].slice(0, -1) ?? 'unknown' },
  });
}
