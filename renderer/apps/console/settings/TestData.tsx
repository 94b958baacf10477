import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { testData } from '../../../../server/contract/routes/console/people.ts';
import { useScope, useScopedCall } from '../shared/client/session.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Said, ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';
import { Button, NativeSelect } from '@mantine/core';
import { useTestClock } from '../shared/client/queries.ts';
import { Form } from '../shared/forms/Submit.tsx';

/**
 * Lets time pass for the company's test partition, or deletes everything in it and asks for the company's name, because it
 * cannot be undone.
 */
export function TestData() {
  const { testData: words } = useWords('settings');
  const { company, partition } = useScope();
  const client = useQueryClient();
  const call = useScopedCall();
  const [isCleared, setCleared] = useState(false);
  return (
    <Panel title={words.title} text={words.text}>
      {partition === 'test' && <TestClock />}
      {isCleared && <Said>{words.cleared}</Said>}
      <div className="row">
        <ConfirmButton
          button={{ c: 'var(--refused)' }}
          title={words.clearTitle({ company: company.name })}
          confirm={words.clear}
          destructive
          withReason
          typeName={company.name}
          act={async (reason) => {
            await call(testData.clear, { body: { reason } });
            setCleared(true);
            // Nothing of it stays in this browser's memory, on any page.
            await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
          }}
        >
          {words.clearText}
        </ConfirmButton>
      </div>
    </Panel>
  );
}

const HOUR_S = 3_600;
const STEPS_S = { hour: HOUR_S, day: 24 * HOUR_S, week: 7 * 24 * HOUR_S, month: 31 * 24 * HOUR_S };
const STEPS = Object.keys(STEPS_S) as (keyof typeof STEPS_S)[];

/** Lets time pass for the company's test data. */
function TestClock() {
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
