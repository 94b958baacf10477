import type { HealthCondition, HealthState } from '../../../../server/contract/console/health.ts';
import { Sentence } from '../shared/Sentence.tsx';
import { Icon, type IconName } from '../shared/icons.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { useConditionText, useTodoText } from './condition-text.ts';
import './health.css';

const LOOK: Record<HealthCondition['severity'], { tone: Tone; icon: IconName }> = {
  critical: { tone: 'refused', icon: 'look' },
  warning: { tone: 'look', icon: 'look' },
  notice: { tone: 'quiet', icon: 'info' },
};

/** All problems of the service, with what to do, and the age of the last good backup. */
export function HealthPanel({ health, hasBackups }: { health: HealthState; hasBackups: boolean }) {
  const words = useWords('health');
  const whatOf = useConditionText();
  const todoOf = useTodoText();
  return (
    <section className="panel" aria-labelledby="health">
      <h2 id="health">{words.title}</h2>
      <div aria-live="polite">
        {health.conditions.length === 0 ? (
          <p className="note" data-tone="passed">
            <Icon name="check" />
            <span>{words.well}</span>
          </p>
        ) : (
          <ul className="conditions">
            {health.conditions.map((condition) => (
              <li key={condition.code}>
                <Status {...LOOK[condition.severity]}>{words.severities[condition.severity]}</Status>
                <div>
                  <p className="conditions__what">{whatOf(condition)}</p>
                  <p>{todoOf(condition)}</p>
                  <p className="quiet">
                    <Sentence words={(time) => words.since({ time })}>
                      <Time at={condition.since} />
                    </Sentence>
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {hasBackups && (
        <Facts>
          <Fact term={words.lastBackup}>
            <Time at={health.last_backup_at} />
          </Fact>
        </Facts>
      )}
    </section>
  );
}
