import type { ReviewCaseDetail, ReviewSuspect } from '../../../../../server/contract/console/reviews.ts';
import type { ReviewsMessages } from '../../../../../locales/types/reviews.ts';
import { Icon } from '../../shared/icons.tsx';
import { useLanguage, useWords } from '../../shared/words.tsx';
import { cosineInWords, findingSentence } from '../labels.tsx';

/** The highest similarity measured for twins (docs/explanation/matching.md). */
const MOST_OF_TWINS = 0.82;

/** The findings, how similar the faces are, and how little that proves. */
export function Findings({ detail, suspect }: { detail: ReviewCaseDetail; suspect: ReviewSuspect | null }) {
  const words = useWords('reviews');
  const { item } = detail;
  const similarity = suspect?.similarity ?? null;
  return (
    <div className="findings">
      <h2>{words.columns.found}</h2>
      <ul className="findings__list">
        {item.reasons.map((reason) => (
          <li key={reason}>
            <Icon name="look" />
            <span>{findingSentence(reason, words)}</span>
          </li>
        ))}
      </ul>
      <Signs signs={detail.signs} />
      <Similarity detail={detail} similarity={similarity} />
      <p className="findings__proof quiet">
        <Icon name="info" size={16} />
        <span>{similarity !== null && similarity > MOST_OF_TWINS ? words.proofAbove : words.proof}</span>
      </p>
    </div>
  );
}

/** Signs of a photo or screen in the pictures, and other possible causes. */
function Signs({ signs }: Pick<ReviewCaseDetail, 'signs'>) {
  const { signs: words } = useWords('reviews');
  if (signs === null) return null;
  return (
    <div className="findings__signs">
      <h3>{words.title}</h3>
      {signs.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <>
          <ul className="findings__list">
            {signs.map((sign) => (
              <li key={sign}>
                <Icon name="look" />
                <span>{words.of[sign]}</span>
              </li>
            ))}
          </ul>
          <p className="quiet">{words.about}</p>
        </>
      )}
    </div>
  );
}

type Thresholds = Pick<ReviewCaseDetail, 'near_threshold' | 'same_threshold'>;

function Similarity({ detail, similarity }: { detail: Thresholds; similarity: number | null }) {
  const { similarity: words } = useWords('reviews');
  const { language } = useLanguage();
  const { near_threshold: near, same_threshold: same } = detail;
  if (similarity === null || near === null || same === null) {
    return (
      <section className="findings__signs">
        <h3>{words.label}</h3>
        <p>{words.none}</p>
      </section>
    );
  }
  const inWords = (cosine: number): string => cosineInWords(cosine, language);
  return (
    <section className="findings__signs similarity">
      <h3>{words.heading({ value: inWords(similarity) })}</h3>
      <div className="similarity__bar" aria-hidden="true">
        <span className="similarity__value" style={{ inlineSize: percent(similarity) }} />
        <span className="similarity__mark" style={{ insetInlineStart: percent(near) }} />
        <span className="similarity__mark" style={{ insetInlineStart: percent(same) }} />
      </div>
      <div className="similarity__names" aria-hidden="true">
        <span style={{ inlineSize: percent(near) }}>{words.markNear}</span>
        <span style={{ marginInlineStart: percent(same - near) }}>{words.markSame}</span>
      </div>
      <p>{sentence(words, { similarity, near, same }, inWords)}</p>
    </section>
  );
}

function sentence(
  words: ReviewsMessages['similarity'],
  { similarity, near, same }: { similarity: number; near: number; same: number },
  inWords: (cosine: number) => string,
): string {
  if (similarity >= same) return words.same({ same: inWords(same) });
  return similarity >= near
    ? words.near({ near: inWords(near), same: inWords(same) })
    : words.below({ near: inWords(near) });
}

const percent = (cosine: number): string => `${Math.min(1, Math.max(0, cosine)) * 100}%`;
