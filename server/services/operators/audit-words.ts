/** What somebody types into the filters of the audit log: a code, its start, or just a word or a name. */
import { AUDIT_ACTIONS, type AuditFilters } from '../../contract/console/audit.ts';
import { skeletonOf } from '../../domain/names.ts';
import { listAuditNames } from '../../store/operators/audit-names.ts';
import type { AuditFilter } from '../../store/operators/audit-query.ts';
import type { SqlReader } from '../../store/sql/port.ts';

/** Beyond it, names late in the alphabet are found by their IDs only. */
const MOST_NAMES = 20_000;
/** A word that more names contain is too short to mean any of them: the first are taken. */
const MOST_MATCHES = 500;
/** Pages show the end of an ID where nothing has a name. */
const ID_END = /^[0-9a-f]{8}$/;

type Words = Pick<AuditFilters, 'actor' | 'action' | 'subject'>;

export async function auditWords(db: SqlReader, { actor, action, subject }: Words): Promise<AuditFilter> {
  const isCode = (text: string | undefined): boolean => text === undefined || /[:*]/.test(text);
  const names = isCode(actor) && isCode(subject) ? [] : await listAuditNames(db, MOST_NAMES);
  const named = (text: string) => {
    const wanted = skeletonOf(text);
    return names.filter(({ name }) => skeletonOf(name).includes(wanted)).slice(0, MOST_MATCHES);
  };
  const byActor = (text: string): AuditFilter =>
    isCode(text) ? { actor: text } : { actors: [text, ...named(text).flatMap((each) => each.actor ?? [])] };
  const bySubject = (text: string): AuditFilter => ({
    // A PIN is used at `kiosk:` and its ID.
    subjects: [text, ...(isCode(text) ? [] : named(text).flatMap(({ id, actor }) => [id, actor ?? id]))],
    ...(ID_END.test(text) && { subjectEnd: text }),
  });
  return {
    ...(actor !== undefined && byActor(actor)),
    ...(action !== undefined && actionWords(action)),
    ...(subject !== undefined && bySubject(subject)),
  };
}

/** Several are separated by commas. A code that this version does not know is another version's. */
function actionWords(text: string): AuditFilter {
  const terms = text.split(',').map((term) => term.trim().toLowerCase());
  const [only] = terms;
  if (terms.length === 1 && only !== undefined && /[.*]/.test(only)) return { action: only };
  return { actions: AUDIT_ACTIONS.filter((known) => terms.some((term) => isMeant(known, term))) };
}

const isMeant = (known: string, term: string): boolean =>
  term.endsWith('*')
    ? known.startsWith(term.slice(0, -1))
    : term.includes('.')
      ? known === term
      : known.includes(term);
