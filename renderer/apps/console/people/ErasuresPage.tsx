/** Records of erasures: found by ID, and downloaded. */
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { erasures } from '../../../../server/contract/routes/console/people.ts';
import type { ErasureProof } from '../../../../server/contract/console/people.ts';
import { call, reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { FilterBar } from '../shared/lists/FilterBar.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useScopeFilter } from '../shared/client/session.ts';
import { EmptyState, ErrorState, PageHeader } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { ErasureDetail, eraserName } from './ErasureDetail.tsx';

export function Page() {
  const words = useWords('people');
  const search = useSearch();
  const scope = useScopeFilter();
  const { openId, open, close } = useOpenRow();
  const list = useCursorList(
    cursorList(['erasures'], { ...scope, q: search['q'] }, (input) => call(erasures.list, input)),
  );
  useChanges('audit', 'erasures');
  const query = useQuery({
    ...reading(['erasures', 'one', scope, openId], erasures.read, {
      params: { proof_id: openId ?? '' },
      query: scope,
    }),
    enabled: openId !== undefined,
  });
  const columns: readonly Column<ErasureProof>[] = [
    { id: 'short', title: words.person, cell: ({ short_id }) => <code>{short_id}</code> },
    { id: 'at', title: words.erasedAt, cell: ({ erased_at }) => <Time at={erased_at} /> },
    { id: 'by', title: words.by, cell: (proof) => eraserName(proof, words) },
    { id: 'reason', title: words.reason, wideOnly: true, cell: ({ reason }) => reason ?? words.noReason },
  ];
  return (
    <>
      <p>
        <Link to="/people" search={scopeSearch(search)} className="text-link">
          ← {words.backToPeople}
        </Link>
      </p>
      <PageHeader title={words.proofs} text={words.proofsText} />
      <FilterBar
        page="erasures"
        filters={[{ kind: 'text', name: 'q', label: words.find, placeholder: words.proofsFind }]}
      />
      <DataTable
        label={words.proofs}
        columns={columns}
        list={list}
        rowId={({ proof_id }) => proof_id}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="people" title={words.proofsEmptyTitle} text={words.proofsEmptyText} />}
      />
      <DetailDrawer
        title={query.data === undefined ? '' : words.proof({ shortId: query.data.short_id })}
        opened={openId !== undefined}
        onClose={close}
      >
        {query.data !== undefined && <ErasureDetail proof={query.data} />}
        {query.data === undefined && query.error !== null && <ErrorState error={query.error} />}
      </DetailDrawer>
    </>
  );
}
