import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import type { ReviewFrame, ReviewRow } from '../../../../server/contract/console/reviews.ts';
import { fileAddress } from '../shared/client/api.ts';
import { Icon } from '../shared/icons.tsx';
import { useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { transformOf, viewBoxOf, WHOLE } from './case/framing.ts';
import { runName } from './labels.tsx';

/** Enlarged to hide the edges of most pictures. */
const FILL = 1.25;

/** Both faces of a case, each with its name below it where there is room. */
export function Pair({ item }: { item: ReviewRow }) {
  const words = useWords('reviews');
  const { match } = item;
  return (
    <span className="pair">
      <Thumb frame={item.frame} testFace={item.test_face} />
      {match !== null && <Thumb frame={match.frame} testFace={item.test_face} />}
      <span className="pair__names">
        <span>{runName(item, words)}</span>
        {match !== null && match.name !== null && (
          <span className="quiet">{words.looksLike({ name: match.name })}</span>
        )}
      </span>
    </span>
  );
}

/** Decorative: the names stand beside it. */
function Thumb({ frame, testFace }: { frame: ReviewFrame | null; testFace: string | null }) {
  const query = useScopeFilter();
  if (frame === null) {
    return (
      <span className="thumb" aria-hidden="true">
        <Icon name={testFace === null ? 'account' : 'flask'} size={20} />
      </span>
    );
  }
  const { case_id, index, framing } = frame;
  return (
    <svg className="thumb" viewBox={viewBoxOf(WHOLE)} aria-hidden="true">
      <image
        href={fileAddress(reviews.frame, { params: { case_id, index }, query })}
        width={framing.width}
        height={framing.height}
        transform={transformOf(framing, FILL)}
      />
    </svg>
  );
}
