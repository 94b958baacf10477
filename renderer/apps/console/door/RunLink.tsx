import { Link } from '@tanstack/react-router';
import type { DoorRun } from '../../../../server/contract/console/door.ts';
import { useSearch } from '../shared/search.ts';
import { scopeSearch } from '../shared/session.ts';
import { useWords } from '../shared/words.tsx';

/** The guest, as a link to the run. A guest without a name or a ticket is a walk-up. */
export function RunLink({ run: { session_id, guest } }: { run: Pick<DoorRun, 'session_id' | 'guest'> }) {
  const words = useWords('door');
  const search = scopeSearch(useSearch());
  return (
    <Link to="/sessions" search={{ ...search, open: session_id }} className="text-link">
      {guest ?? words.walkUpGuest}
    </Link>
  );
}
