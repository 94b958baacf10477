/** How often others decided differently where two reviewers decided: one's own line, for admins everybody's. */
import { useQuery } from '@tanstack/react-query';
import { AGREEMENT_DAYS } from '../../../../server/contract/console/reviews.ts';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import { call } from '../shared/client/api.ts';
import { useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

export function Agreement() {
  const { agreement: words } = useWords('reviews');
  const query = useScopeFilter();
  const { data } = useQuery({
    queryKey: ['reviews', 'agreement', query],
    queryFn: ({ signal }) => call(reviews.agreement, { query, signal }),
  });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <details>
      <summary>{words.title({ days: AGREEMENT_DAYS })}</summary>
      <p className="quiet">{words.text}</p>
      <ul>
        {data.items.map(({ operator_id: id, name, decided, differed }) => (
          <li key={id}>{words.line({ name, decided, differed })}</li>
        ))}
      </ul>
    </details>
  );
}
