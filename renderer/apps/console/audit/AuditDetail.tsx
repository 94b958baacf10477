import type { AuditItem } from '../../../../server/contract/console/audit.ts';
import { Copyable } from '../shared/copy.tsx';
import { Fact, Facts } from '../shared/DetailDrawer.tsx';
import { Time } from '../shared/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { Subject } from './Subject.tsx';

/** Who did it: the operator's name, or what else acted. */
export function Actor({ item }: { item: AuditItem }) {
  const words = useWords('audit');
  if (item.actor_name !== null) return item.actor_name;
  if (item.actor === 'system') return words.system;
  if (item.actor === 'cli') return words.cli;
  return <code>{item.actor}</code>;
}

export function AuditDetail({ item }: { item: AuditItem }) {
  const words = useWords('audit');
  return (
    <div className="stack">
      <Facts>
        <Fact term={words.action}>
          <code>{item.action}</code>
        </Fact>
        <Fact term={words.at}>
          <Time at={item.at} exact />
        </Fact>
        <Fact term={words.actor}>
          <Actor item={item} />
        </Fact>
        <Fact term={words.subject}>
          <div>
            <Subject item={item} />
          </div>
          <Copyable value={item.subject} label={words.subject} />
        </Fact>
        {Object.entries(item.details).map(([name, value]) => (
          <Fact key={name} term={name}>
            {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
          </Fact>
        ))}
        <Fact term={words.hash}>
          <Copyable value={item.hash} label={words.hash} />
        </Fact>
      </Facts>
    </div>
  );
}
