/** The block list: who is blocked now, the newest first. Nothing is shown while nobody is. */
import { Button } from '@mantine/core';
import { people } from '../../../../server/contract/routes/console/people.ts';
import { call } from '../shared/client/api.ts';
import { cursorList, useCursorList } from '../shared/lists/list.ts';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { BlockNote } from './BlockPanel.tsx';

export const blocksOf = (scope: ScopeFilter) =>
  cursorList(['people', 'blocks'], scope, (input) => call(people.blocks, input));

export function Blocked({ onOpen }: { onOpen: (personId: string) => void }) {
  const { block: words } = useWords('people');
  const scope = useScopeFilter();
  const list = useCursorList(blocksOf(scope));
  if (list.rows.length === 0) return null;
  return (
    <details className="block-list">
      <summary>{words.listTitle({ n: list.rows.length })}</summary>
      <ul className="stack">
        {list.rows.map((block) => (
          <li key={block.person_id}>
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(block.person_id)}>
              {block.name ?? block.short_id}
            </Button>
            <BlockNote block={block} />
          </li>
        ))}
      </ul>
      {list.loadMore !== undefined && (
        <Button size="xs" variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {words.more}
        </Button>
      )}
    </details>
  );
}
