import { erasures } from '../../../../server/contract/routes/console/people.ts';
import type { ErasureProof } from '../../../../server/contract/console/people.ts';
import type { PeopleMessages } from '../../../../locales/types/people.ts';
import { fileAddress } from '../shared/client/api.ts';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { Download } from '../shared/Download.tsx';
import { useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** The actor: an operator's name, or another kind of actor. */
export function eraserName({ actor, actor_name }: ErasureProof, words: PeopleMessages): string {
  const others: Readonly<Record<string, string>> = {
    person: words.bySelf,
    cli: words.byCli,
    system: words.bySystem,
  };
  return actor_name ?? others[actor] ?? actor;
}

export function ErasureDetail({ proof }: { proof: ErasureProof }) {
  const words = useWords('people');
  const scope = useScopeFilter();
  const removed = Object.entries(proof.removed).filter(([, rows]) => rows > 0);
  return (
    <div className="stack">
      <div className="row">
        <Download
          href={fileAddress(erasures.file, { params: { proof_id: proof.proof_id }, query: scope })}
          size="xs"
        >
          {words.download}
        </Download>
      </div>
      <Facts>
        <TimeFact term={words.erasedAt} at={proof.erased_at} exact="utc" />
        <Fact term={words.by}>{eraserName(proof, words)}</Fact>
        <Fact term={words.reason}>{proof.reason ?? words.noReason}</Fact>
        <Fact term={words.remaining}>{proof.remaining}</Fact>
        <Fact term={words.removed}>
          <ul>
            {removed.map(([table, rows]) => (
              <li key={table}>
                <code>{table}</code>: {rows}
              </li>
            ))}
          </ul>
        </Fact>
        <CopyFact term={words.personId} value={proof.person_id} />
        <CopyFact term={words.proofId} value={proof.proof_id} />
        {proof.audit_seq !== null && <Fact term={words.auditEntry}>{proof.audit_seq}</Fact>}
        {proof.audit_hash !== null && <CopyFact term={words.auditHash} value={proof.audit_hash} />}
      </Facts>
    </div>
  );
}
