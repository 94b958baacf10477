/** States, codes and names of sessions as all pages write them. */
import type {
  LetIn,
  SessionStatus as StatusName,
  SessionItem,
} from '../../../../server/contract/console/sessions.ts';
import type { SessionsMessages } from '../../../../locales/types/sessions.ts';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { letInText } from '../shared/let-in.ts';
import { useWords } from '../shared/words.tsx';

const LOOKS: Record<StatusName, readonly [Tone, IconName]> = {
  open: ['action', 'clock'],
  in_review: ['look', 'reviews'],
  approved: ['passed', 'check'],
  flagged: ['look', 'check'],
  locked: ['quiet', 'lock'],
  revoked: ['quiet', 'dash'],
  denied: ['refused', 'cross'],
  declined: ['quiet', 'cross'],
  expired: ['quiet', 'clock'],
  cancelled: ['quiet', 'dash'],
};

export function SessionStatus({
  result: { status, let_in: letIn },
}: {
  result: { status: StatusName; let_in: LetIn | null };
}) {
  const words = useWords('outcomes');
  const [tone, icon] = LOOKS[status];
  return (
    <Status tone={tone} icon={icon}>
      {letIn === null ? words.names[status] : <span className="status__long">{letInText(letIn, words)}</span>}
    </Status>
  );
}

/** A code's words if there are some; else the code, which may be newer than this page. */
export const inWords = (code: string, known: Readonly<Record<string, string>>): string => known[code] ?? code;

/** The person of the session, as far as known. */
export const whoIs = (
  session: Pick<SessionItem, 'external_id' | 'identity'>,
  words: SessionsMessages,
): string => session.external_id ?? session.identity?.identifier ?? words.nobody;
