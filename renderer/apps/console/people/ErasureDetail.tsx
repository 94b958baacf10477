import { erasures } from '../../../../server/contract/routes/console/people.ts';
import type { ErasureProof } from '../../../../server/contract/console/people.ts';
import type { PeopleMessages } from '../../../../locales/types/people.ts';
import { fileAddress } from '../shared/client/api.ts';
import { Copyable } from '../shared/copy.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { Download } from '../shared/Download.tsx';
import { useScopeFilter } from '../shared/client/session.ts';
import { Time } from '../shared/time/Time.tsx';
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
        <Fact term={words.erasedAt}>
          <Time at={proof.erased_at} exact="utc" />
        </Fact>
        <Fact term={words.by}>{eraserName(proof, words)}</Fact>
        <Fact term={words.reason}>{proof.reason ?? words.noReason}</Fact>
        <Fact term={words.remaining}>{proof.remaining}</Fact>
        <Fact term={words.removed}>
          <ul className="lines">
            {removed.map(([table, rows]) => (
              <li key={table}>
                <code>{table}</code>: {rows}
              </li>
            ))}
          </ul>
        </Fact>
        <Fact term={words.personId}>
          <Copyable value={proof.person_id} label={words.personId} />
        </Fact>
        <Fact term={words.proofId}>
          <Copyable value={proof.proof_id} label={words.proofId} />
        </Fact>
        {proof.audit_seq !== null && <Fact term={words.auditEntry}>{proof.audit_seq}</Fact>}
        {proof.audit_hash !== null && (
          <Fact term={words.auditHash}>
            <Copyable value={proof.audit_hash} label={words.auditHash} />
          </Fact>
        )}
      </Facts>
    </div>
  );
}
