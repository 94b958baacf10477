import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { useWords } from '../shared/words.tsx';
import { type Config, optionOf } from './options.ts';

/** The options of a verification in the editor's words: its questions with their answers, then the API's form. */
export function OptionFacts({ config }: { config: Config }) {
  const words = useWords('verifications');
  const chosen = (name: string, choices: Readonly<Record<string, string>>): string | undefined => {
    const value = optionOf(config, name);
    return value === undefined ? undefined : (choices[textOf(value)] ?? textOf(value));
  };
  const limit = chosen('limit.kind', words.limitChoices);
  const most = optionOf(config, 'limit.max');
  const hours = optionOf(config, 'skip.window_hours');
  const answers = [
    [words.collision, chosen('collision.action', words.collisionChoices)],
    [words.limit, limit !== undefined && typeof most === 'number' ? `${most} · ${limit}` : limit],
    [words.skip, hours === undefined ? undefined : `${textOf(hours)} ${words.hours}`],
    [words.challenge, chosen('liveness.challenge', words.challengeChoices)],
    [words.trust, chosen('capture.trust', words.trustChoices)],
    [words.phone, chosen('phone.required', words.phoneChoices)],
  ] as const;
  const ticked = (
    [
      ['identity.share', words.share],
      ['returning.auto_return', words.autoReturn],
      ['require_account', words.requireAccount],
      ['is_test', words.isTest],
    ] as const
  ).filter(([name]) => optionOf(config, name) === true);
  if (Object.keys(config).length === 0) return <p className="quiet">{words.configDefault}</p>;
  return (
    <div className="stack">
      <Facts>
        {answers.map(
          ([question, answer]) =>
            answer !== undefined && (
              <Fact key={question} term={question}>
                {answer}
              </Fact>
            ),
        )}
      </Facts>
      {ticked.length > 0 && (
        <ul>
          {ticked.map(([name, label]) => (
            <li key={name}>{label}</li>
          ))}
        </ul>
      )}
      <details>
        <summary>{words.json}</summary>
        <pre className="json-shown" tabIndex={0} aria-label={words.json}>
          {JSON.stringify(config, null, 2)}
        </pre>
      </details>
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
