import { usage } from '../../../../server/contract/routes/console/usage.ts';
import { call } from '../shared/client/api.ts';
import type { CapChangeItem } from '../../../../server/contract/console/usage.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { Time } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';

export const capChangesOf = (scope: ScopeFilter) =>
  cursorList(['usage', 'cap'], { ...scope, limit: '10' }, (input) => call(usage.capChanges, input));

/** Who changed the cap, when and why. */
export function CapHistory() {
  const words = useWords('usage');
  const { language } = useLanguage();
  const list = useCursorList(capChangesOf(useScopeFilter()));
  const number = new Intl.NumberFormat(language);
  const columns: readonly Column<CapChangeItem>[] = [
    {
      id: 'cap',
      title: words.cap,
      cell: ({ from_limit: from, daily_limit: to }) =>
        words.capFrom({ from: from === null ? '–' : number.format(from), to: number.format(to) }),
    },
    { id: 'when', title: words.when, cell: ({ changed_at }) => <Time at={changed_at} /> },
    {
      id: 'by',
      title: words.by,
      cell: ({ changed_by, operator_name }) =>
        operator_name ?? (changed_by === 'cli' ? words.cli : <code>{changed_by}</code>),
    },
    { id: 'reason', title: words.reason, cell: ({ reason }) => reason ?? '–' },
  ];
  return (
    <section>
      <h2>{words.capHistory}</h2>
      <DataTable
        label={words.capHistory}
        columns={columns}
        list={list}
        rowId={({ changed_at, daily_limit }) => `${changed_at} ${daily_limit}`}
        empty={<p className="quiet">{words.capNone}</p>}
      />
    </section>
  );
}
