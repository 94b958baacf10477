import type { AuditItem } from '../../../../server/contract/console/audit.ts';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { useWords } from '../shared/words.tsx';
import { AuditSentence } from './AuditSentence.tsx';

/** One entry: its sentence, and its stored details behind a disclosure. */
export function AuditDetail({ item }: { item: AuditItem }) {
  const words = useWords('audit');
  const { reason, ...details } = item.details;
  return (
    <div className="stack">
      <p>
        <AuditSentence line={item} />
      </p>
      <Facts>
        <TimeFact term={words.at} at={item.at} exact="utc" />
        {typeof reason === 'string' && <Fact term={words.reason}>{reason}</Fact>}
      </Facts>
      <details>
        <summary>{words.raw}</summary>
        <Facts>
          <Fact term={words.action}>
            <code>{item.action}</code>
          </Fact>
          <CopyFact term={words.actor} value={item.actor} />
          <CopyFact term={words.subject} value={item.subject} />
          {Object.entries(details).map(([name, value]) => (
            <Fact key={name} term={name}>
              {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
            </Fact>
          ))}
          <CopyFact term={words.hash} value={item.hash} />
        </Facts>
      </details>
    </div>
  );
}
