import type { AuditItem } from '../../../../server/contract/console/audit.ts';
import { Copyable } from '../shared/copy.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { Time } from '../shared/time/Time.tsx';
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
        <Fact term={words.at}>
          <Time at={item.at} exact="utc" />
        </Fact>
        {typeof reason === 'string' && <Fact term={words.reason}>{reason}</Fact>}
      </Facts>
      <details>
        <summary>{words.raw}</summary>
        <Facts>
          <Fact term={words.action}>
            <code>{item.action}</code>
          </Fact>
          <Fact term={words.actor}>
            <Copyable value={item.actor} label={words.actor} />
          </Fact>
          <Fact term={words.subject}>
            <Copyable value={item.subject} label={words.subject} />
          </Fact>
          {Object.entries(details).map(([name, value]) => (
            <Fact key={name} term={name}>
              {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
            </Fact>
          ))}
          <Fact term={words.hash}>
            <Copyable value={item.hash} label={words.hash} />
          </Fact>
        </Facts>
      </details>
    </div>
  );
}
