/** How often others decided differently, and how often control cases were decided wrongly: one's own line, for admins everybody's. */
import { AGREEMENT_DAYS, type ReviewAgreement } from '../../../../server/contract/console/reviews.ts';
import { Time } from '../shared/time/Time.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { useAgreement } from './use-reviews.ts';

export function Agreement() {
  const { agreement: words } = useWords('reviews');
  const { data } = useAgreement();
  if (data === undefined) return null;
  return (
    <>
      <Controls agreement={data} />
      {data.items.length > 0 && (
        <details>
          <summary>{words.title({ days: AGREEMENT_DAYS })}</summary>
          <p className="quiet">{words.text}</p>
          <ul>
            {data.items.map(({ operator_id: id, name, decided, differed }) => (
              <li key={id}>{words.line({ name, decided, differed })}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Controls({ agreement: { controls, told } }: { agreement: ReviewAgreement }) {
  const { controls: words } = useWords('reviews');
  const { decisions } = useWords('outcomes');
  const { language } = useLanguage();
  if (controls.length === 0) return null;
  const percent = (share: number): string =>
    share.toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <details>
      <summary>{words.title({ days: AGREEMENT_DAYS })}</summary>
      <p className="quiet">{words.text}</p>
      <ul>
        {controls.map(({ operator_id: id, name, decided, wrong, low, high }) => (
          <li key={id}>{words.line({ name, decided, wrong, low: percent(low), high: percent(high) })}</li>
        ))}
      </ul>
      {told.length > 0 && (
        <>
          <h3>{words.yours}</h3>
          <ul>
            {told.map(({ case_id: id, decided_at: at, decision, answer, wrong }) => (
              <li key={id}>
                {words.told({ wrong: wrong ? 'yes' : 'no', answer, decision: decisions[decision] })} ·{' '}
                <Time at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
