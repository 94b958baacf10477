import type { ScoreParts } from '../../../../server/contract/console/sessions.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

const PARTS = ['spoof', 'quality', 'nearness', 'desktop', 'unsigned', 'camera'] as const;

/** A risk score with its signals in words. */
export function Score({ score, parts }: { score: number; parts: ScoreParts | null }) {
  const words = useWords('sessions');
  const { language } = useLanguage();
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return (
    <div className="score">
      <p>
        <strong>{score}</strong> · {words.bands[bandOf(score)]}
      </p>
      {parts !== null && (
        <>
          <ul className="score__parts">
            {PARTS.map((name) => (
              <li key={name}>
                <span>{words.scoreParts[name]}</span>
                <span>{words.points({ count: format.format(parts[name]) })}</span>
              </li>
            ))}
          </ul>
          <p className="quiet">{words.scoreHelp}</p>
        </>
      )}
    </div>
  );
}

/** Limits of the bands, as in the API reference. */
const MEDIUM_FROM = 30;
const HIGH_FROM = 70;

type ScoreBand = 'low' | 'medium' | 'high';

/** @param score 0 to 100, higher is riskier */
export function bandOf(score: number): ScoreBand {
  if (score < MEDIUM_FROM) return 'low';
  return score < HIGH_FROM ? 'medium' : 'high';
}
