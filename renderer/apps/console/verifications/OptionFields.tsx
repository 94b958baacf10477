/** Options of a verification as questions, each with the effect that its answer has on guests. Defaults are not written into the config. */
import { Checkbox, NativeSelect, NumberInput } from '@mantine/core';
import { MAX_SKIP_WINDOW_HOURS } from '../../../../server/contract/console/verifications.ts';
import { useWords } from '../shared/words.tsx';
import { optionOf, withOption, type Config } from './options.ts';

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** An option that is not in the config has the empty value. */
const optionsOf = (choices: Readonly<Record<string, string>>) =>
  Object.entries(choices).map(([name, label]) => ({ value: name === 'unset' ? '' : name, label }));

/** The question, the answer, and what it means. */
const BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

type Props = { config: Config; onChange: (config: Config) => void };

export function OptionFields({ config, onChange }: Props) {
  const words = useWords('verifications');
  const set = (name: string, value: unknown) => onChange(withOption(config, name, value));
  const choice = (
    name: string,
    label: string,
    choices: Readonly<Record<string, string>>,
    means: Readonly<Record<string, string>>,
  ) => (
    <NativeSelect
      label={label}
      description={means[textOf(optionOf(config, name)) || 'unset']}
      inputWrapperOrder={BELOW}
      value={textOf(optionOf(config, name))}
      data={optionsOf(choices)}
      onChange={({ currentTarget: { value } }) =>
        set(name, value === '' ? undefined : (BOOLEANS[value] ?? value))
      }
    />
  );
  const kind = optionOf(config, 'limit.kind');
  const isLimited = kind !== undefined && kind !== 'none';
  const setLimit = (next: string) => {
    const kept = next === '' || next === 'none' ? withOption(config, 'limit.max', undefined) : config;
    onChange(withOption(kept, 'limit.kind', next === '' ? undefined : next));
  };
  return (
    <div className="stack">
      {choice('collision.action', words.collision, words.collisionChoices, words.collisionMeans)}
      <div className="option-pair">
        <NativeSelect
          label={words.limit}
          description={isLimited ? words.limitMeans.limited : words.limitMeans.unlimited}
          inputWrapperOrder={BELOW}
          value={textOf(kind)}
          data={optionsOf(words.limitChoices)}
          onChange={({ currentTarget }) => setLimit(currentTarget.value)}
        />
        {isLimited && (
          <NumberInput
            label={words.limitMax}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            placeholder="1"
            value={numberOf(optionOf(config, 'limit.max'))}
            onChange={(value) => set('limit.max', value === '' ? undefined : Number(value))}
          />
        )}
      </div>
      <NumberInput
        label={words.skip}
        description={words.skipHelp}
        inputWrapperOrder={BELOW}
        min={0}
        max={MAX_SKIP_WINDOW_HOURS}
        allowNegative={false}
        hideControls
        placeholder="24"
        suffix={` ${words.hours}`}
        value={numberOf(optionOf(config, 'skip.window_hours'))}
        onChange={(value) => set('skip.window_hours', value === '' ? undefined : Number(value))}
      />
      {choice('liveness.challenge', words.challenge, words.challengeChoices, {
        unset: words.challengeMeans.standard,
        ...words.challengeMeans,
      })}
      {choice('capture.trust', words.trust, words.trustChoices, {
        unset: words.trustMeans.any,
        ...words.trustMeans,
      })}
      <p className="quiet">{words.trustHelp}</p>
      {choice('phone.required', words.phone, words.phoneChoices, words.phoneMeans)}
      {(
        [
          ['identity.share', words.share],
          ['returning.auto_return', words.autoReturn],
          ['require_account', words.requireAccount],
          ['is_test', words.isTest],
        ] as const
      ).map(([name, label]) => (
        <Checkbox
          key={name}
          label={label}
          checked={optionOf(config, name) === true}
          onChange={({ currentTarget }) => set(name, currentTarget.checked ? true : undefined)}
        />
      ))}
    </div>
  );
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
const numberOf = (value: unknown): number | '' => (typeof value === 'number' ? value : '');
