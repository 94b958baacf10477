import { Link } from '@tanstack/react-router';
import type { PassDetail } from '../../../../server/contract/console/sessions.ts';
import { Fact, Facts, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useMay } from '../shared/client/session.ts';
import { useReason, useWords } from '../shared/words.tsx';
import { Note } from '../shared/states.tsx';
import { Score } from './Score.tsx';

export function PassFacts({ pass, caseId }: { pass: PassDetail; caseId: string | null }) {
  const words = useWords('sessions');
  const reasonOf = useReason();
  const search = scopeSearch(useSearch());
  const mayOpen = useMay('reviewer');
  return (
    <div className="stack">
      {!pass.is_own && <Note icon="info">{words.earlierPass}</Note>}
      <Facts>
        {pass.reasons.length > 0 && (
          <Fact term={words.reasons}>{pass.reasons.map(reasonOf).join(' · ')}</Fact>
        )}
        {pass.groups.length > 0 && <Fact term={words.foundIn}>{pass.groups.join(', ')}</Fact>}
        {pass.score !== null && (
          <Fact term={words.score}>
            <Score score={pass.score} parts={pass.score_parts} />
          </Fact>
        )}
        {pass.read_count > 0 && <Fact term={words.reads}>{words.readTimes({ count: pass.read_count })}</Fact>}
        <CopyFact term={words.passId} value={pass.pass_id} />
      </Facts>
      {mayOpen && (
        <p className="row">
          {pass.person_id !== null && (
            <Link to="/people" search={{ ...search, open: pass.person_id }} className="text-link">
              {words.openPerson}
            </Link>
          )}
          {caseId !== null && (
            <Link to="/reviews/$caseId" params={{ caseId }} search={search} className="text-link">
              {words.openCase}
            </Link>
          )}
        </p>
      )}
    </div>
  );
}
