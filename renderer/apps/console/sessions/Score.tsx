import type { ScoreParts } from '../../../../server/contract/console/sessions.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { bandOf } from '../../../../server/contract/v3.ts';
import './sessions.css';

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
