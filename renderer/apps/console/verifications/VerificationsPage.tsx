/** Verifications: where people come from and return to, options in plain language, and hosted links. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { verifications as verificationsRoutes } from '../../../../server/contract/routes/console/verifications.ts';
import type { ConsoleVerification } from '../../../../server/contract/console/verifications.ts';
import { call, reading } from '../shared/client/api.ts';
import { DataTable, type Column } from '../shared/lists/DataTable.tsx';
import { DetailDrawer, useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { EmptyState, ErrorState, PageHeader, AddButton } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { Editor, verificationDraft } from './Editor.tsx';
import { DefaultMark, VerificationDetail } from './VerificationDetail.tsx';
import { labelled, useVerificationName } from './names.ts';
import './verifications.css';

const listOf = (scope: ScopeFilter) =>
  cursorList(['verifications'], scope, (input) => call(verificationsRoutes.list, input));

export const prefetch = ({ client, scope }: Visit) => readAhead(client.infiniteQuery(listOf(scope)));

export function Page() {
  const words = useWords('verifications');
  const common = useCommonWords();
  const scope = useScopeFilter();
  const { openId, open, close } = useOpenRow();
  const hasDraft = useHasDraft();
  const [adding, setAdding] = useState(() => hasDraft(verificationDraft(undefined)));
  const list = useCursorList(listOf(scope));
  const nameOf = useVerificationName();
  const opened = useQuery({
    ...reading(['verifications', 'one', openId, scope], verificationsRoutes.read, {
      params: { verification_id: openId ?? '' },
      query: scope,
    }),
    enabled: openId !== undefined,
  });
  useChanges('audit', 'verifications');
  const columns: readonly Column<ConsoleVerification>[] = [
    {
      id: 'name',
      title: words.name,
      cell: (row) => nameOf(labelled(row)),
    },
    { id: 'default', title: words.isDefault, cell: ({ is_default }) => (is_default ? <DefaultMark /> : '–') },
    { id: 'origin', title: words.origin, cell: ({ origin }) => origin ?? '–' },
    { id: 'changed', title: words.changed, cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
  return (
    <>
      <PageHeader
        title={common.pages.verifications}
        text={words.text}
        action={<AddButton onClick={() => setAdding(true)}>{words.add}</AddButton>}
      />
      <DataTable
        label={common.pages.verifications}
        columns={columns}
        list={list}
        rowId={({ verification_id }) => verification_id}
        onOpen={open}
        openId={openId}
        empty={<EmptyState icon="verifications" title={words.emptyTitle} text={words.emptyText} />}
      />
      <DetailDrawer
        title={opened.data === undefined ? common.pages.verifications : nameOf(labelled(opened.data))}
        opened={openId !== undefined && !opened.isPending}
        onClose={close}
      >
        {opened.data === undefined ? (
          <ErrorState error={opened.error} />
        ) : (
          <VerificationDetail key={opened.data.verification_id} verification={opened.data} />
        )}
      </DetailDrawer>
      <DetailDrawer title={words.addTitle} opened={adding} onClose={() => setAdding(false)}>
        {adding && (
          <Editor
            onSaved={({ verification_id }) => {
              setAdding(false);
              open(verification_id);
            }}
            onCancel={() => setAdding(false)}
          />
        )}
      </DetailDrawer>
    </>
  );
}
