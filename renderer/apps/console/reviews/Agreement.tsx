/** How often others decided differently where two reviewers decided: one's own line, for admins everybody's. */
import { AGREEMENT_DAYS } from '../../../../server/contract/console/reviews.ts';
import { useWords } from '../shared/words.tsx';
import { useAgreement } from './use-reviews.ts';

export function Agreement() {
  const { agreement: words } = useWords('reviews');
  const { data } = useAgreement();
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
