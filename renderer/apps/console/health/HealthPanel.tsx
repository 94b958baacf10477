import type {
  HealthCheck,
  HealthCondition,
  HealthState,
} from '../../../../server/contract/console/health.ts';
import { type IconName } from '../shared/icons.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { Status, type Tone, Note } from '../shared/states.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { megabytes } from '../shared/megabytes.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { useConditionText, useTodoText } from './condition-text.ts';
import './health.css';

const LOOK: Record<HealthCondition['severity'], { tone: Tone; icon: IconName }> = {
  critical: { tone: 'refused', icon: 'look' },
  warning: { tone: 'look', icon: 'look' },
  notice: { tone: 'quiet', icon: 'info' },
};

/** All problems of the service, with what to do, and everything that is looked at. */
export function HealthPanel({ health }: { health: HealthState }) {
  const words = useWords('health');
  const whatOf = useConditionText();
  const todoOf = useTodoText();
  return (
    <section className="panel" aria-labelledby="health">
      <h2 id="health">{words.title}</h2>
      <div aria-live="polite">
        {health.conditions.length === 0 ? (
          <Note tone="passed" icon="check">
            {words.well}
          </Note>
        ) : (
          <ul className="conditions">
            {health.conditions.map((condition) => (
              <li key={condition.code}>
                <Status {...LOOK[condition.severity]}>{words.severities[condition.severity]}</Status>
                <div>
                  <p className="conditions__what">{whatOf(condition)}</p>
                  <p>{todoOf(condition)}</p>
                  <p className="quiet">
                    <TimeSentence words={words.since} at={condition.since} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      <h3>{words.looked}</h3>
      <Facts>
        {health.checks.map((check) => (
          <Fact key={check.check} term={words.checks[check.check]}>
            <span className="row">
              {check.severity === null ? (
                <Status tone="passed">{words.inOrder}</Status>
              ) : (
                <Status {...LOOK[check.severity]}>{words.severities[check.severity]}</Status>
              )}
              <CheckValue check={check} />
            </span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function CheckValue({ check: { check, at, count, bytes } }: { check: HealthCheck }) {
  const { values: words } = useWords('health');
  const { language } = useLanguage();
  switch (check) {
    case 'disk':
      return bytes === null ? null : words.free({ size: megabytes(bytes, language) });
    case 'clock':
      return count === null || count === 0 ? null : words.ahead({ count });
    case 'backup':
      return <TimeSentence words={words.backup} at={at} />;
    case 'network':
      return at === null ? null : <TimeSentence words={words.certificate} at={at} />;
    case 'cameras':
      return words.cameras({ count: count ?? 0 });
    case 'webhooks':
      return count === null || count === 0 ? null : words.waiting({ count });
    case 'database':
    case 'faces':
    case 'clean_up':
    case 'codes':
    case 'audit_export':
    case 'update':
      return null;
  }
}
