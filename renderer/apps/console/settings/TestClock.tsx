import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { testData } from '../../../../server/contract/routes/console/people.ts';
import { useTestClock } from '../shared/client/queries.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Form } from '../shared/forms/Submit.tsx';

const HOUR_S = 3_600;
const STEPS_S = { hour: HOUR_S, day: 24 * HOUR_S, week: 7 * 24 * HOUR_S, month: 31 * 24 * HOUR_S };
const STEPS = Object.keys(STEPS_S) as (keyof typeof STEPS_S)[];

/** Lets time pass for the company's test data. */
export function TestClock() {
  const { testData: words } = useWords('settings');
  const client = useQueryClient();
  const call = useScopedCall();
  const { data, error } = useTestClock();
  const [step, setStep] = useState<string>('day');
  const passing = useMutation({
    mutationFn: (seconds: number) => call(testData.advance, { body: { advance_seconds: seconds } }),
    // Every page shows times of the test data.
    onSuccess: () => client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'settings' }),
  });
  const ahead = data?.advanced_seconds ?? 0;
  return (
    <Form
      className="stack form"
      onSubmit={() => passing.mutate(STEPS_S[STEPS.find((name) => name === step) ?? 'day'])}
    >
      <NativeSelect
        label={words.time}
        description={words.clockText}
        value={step}
        onChange={({ currentTarget: { value } }) => setStep(value)}
        data={STEPS.map((name) => ({ value: name, label: words[name] }))}
      />
      <ErrorLine error={passing.error ?? error} />
      {ahead > 0 && (
        <p className="quiet" role="status">
          {words.clock({ hours: Math.floor(ahead / HOUR_S) })}
        </p>
      )}
      <div className="row">
        <Button type="submit" variant="default" loading={passing.isPending}>
          {words.pass}
        </Button>
      </div>
    </Form>
  );
}
