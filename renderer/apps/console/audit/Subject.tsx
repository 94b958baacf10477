import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditLine } from '../../../../server/contract/console/audit.ts';
import { useSearch } from '../shared/lists/search.ts';
import { useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';

const ID = /^[0-9a-f]{8}-/;

/** Pages that open a record by its ID, by the first part of an action's name. */
const PAGES = {
  operator: '/operators',
  event: '/events',
  verification: '/verifications',
  run: '/verifications',
  person: '/people',
  session: '/sessions',
  key: '/keys',
} as const;

/** The subject of an entry: its name, or else the end of its ID with all of it on hover; a link if a page shows it. */
export function Subject({ line }: { line: AuditLine }) {
  const { subjects } = useWords('audit');
  const search = useSearch();
  const nameOf = useVerificationName();
  const { subject, subject_verification: verification, action, company_id, partition } = line;
  const name = verification === null ? line.subject_name : nameOf(verification);
  if (subject === 'unknown name') return subjects.unknownName;
  if (subject === 'many') return subjects.many;
  if (!ID.test(subject)) return name ?? subject;
  const text = <Whole id={subject}>{name ?? <code>{subject.slice(-8)}</code>}</Whole>;
  const scope = {
    ...(search['company'] !== undefined && { company: search['company'] }),
    ...(company_id !== null && { company: company_id }),
    ...(partition !== null && { partition }),
  };
  const kind = action.split('.')[0] ?? '';
  if (kind === 'review') {
    return (
      <Link to="/reviews/$caseId" params={{ caseId: subject }} search={scope} className="text-link">
        {text}
      </Link>
    );
  }
  // The keys page opens pairs, not single keys.
  const isSingleKey = action === 'key.revoke' || action === 'key.refused';
  const page = kind in PAGES && !isSingleKey ? PAGES[kind as keyof typeof PAGES] : null;
  if (page === null) return text;
  return (
    <Link to={page} search={{ ...scope, open: subject }} className="text-link">
      {text}
    </Link>
  );
}

const Whole = ({ id, children }: { id: string; children: ReactNode }) => <span title={id}>{children}</span>;
