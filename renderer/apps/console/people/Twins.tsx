/** After an upgrade: people whose address turned out to be another person's. Both stay until an admin decides. */
import { Alert, Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { people } from '../../../../server/contract/routes/console/people.ts';
import { reading } from '../shared/client/api.ts';
import { CHOICES_STALE_MS } from '../shared/lists/list.ts';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

export const twinsOf = (scope: ScopeFilter) =>
  queryOptions({
    ...reading(['people', 'twins', scope], people.twins, { query: scope }),
    staleTime: CHOICES_STALE_MS,
  });

export function Twins({ onOpen }: { onOpen: (personId: string) => void }) {
  const words = useWords('people');
  const { data } = useQuery(twinsOf(useScopeFilter()));
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Alert title={words.twinsTitle({ n: items.length })}>
      <p>{words.twinsText}</p>
      <ul>
        {items.map((twin) => (
          <li key={twin.person_id}>
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(twin.person_id)}>
              {twin.identifier}
            </Button>{' '}
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(twin.other_person_id)}>
              {twin.same_as}
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
