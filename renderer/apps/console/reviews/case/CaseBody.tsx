import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { ReviewCaseDetail } from '../../../../../server/contract/console/reviews.ts';
import { useLanguage, useWords } from '../../shared/words.tsx';
import { cosineInWords } from '../labels.tsx';
import { CaseNotes } from './CaseNotes.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { Faces } from './Faces.tsx';
import { Findings } from './Findings.tsx';
import { MatchSide, RunSide } from './Sides.tsx';

/** Everything between the heading and the footer of a case; several people may resemble the run's. */
export function CaseBody({ detail }: { detail: ReviewCaseDetail }) {
  const words = useWords('reviews');
  const { language } = useLanguage();
  const { suspects } = detail;
  const [chosen, setChosen] = useState(0);
  const suspect = suspects[chosen] ?? suspects[0] ?? null;
  return (
    <>
      <div className="case__top">
        <Faces detail={detail} suspect={suspect} />
        <div className="case__found">
          {suspects.length > 1 && (
            <SegmentedControl
              size="xs"
              fullWidth
              aria-label={words.matches}
              value={String(chosen)}
              onChange={(value) => setChosen(Number(value))}
              data={suspects.map(({ similarity }, place) => ({
                value: String(place),
                label:
                  similarity === null
                    ? words.matchNumber({ number: place + 1 })
                    : words.matchSimilar({ number: place + 1, value: cosineInWords(similarity, language) }),
              }))}
            />
          )}
          <Findings detail={detail} suspect={suspect} />
        </div>
      </div>
      <div className="case__past">
        <RunSide detail={detail} />
        <MatchSide suspect={suspect} />
        <CaseNotes detail={detail} />
      </div>
      <DecisionBar detail={detail} />
    </>
  );
}
