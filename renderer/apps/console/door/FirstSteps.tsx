/** The checklist of a new venue. It disappears once everything is done. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { system } from '../../../../server/contract/routes/console/system.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import type { FirstSteps as Steps } from '../../../../server/contract/console/door.ts';
import { call } from '../shared/client/api.ts';
import { Icon } from '../shared/icons.tsx';
import { useScopeFilter, companiesQuery, useScope } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { firstStepsOf } from './use-door.ts';
import { StartAtKiosk } from './WalkUpMenu.tsx';

const ORDER = ['event', 'kiosk', 'guest', 'colleague', 'recovery', 'network'] as const;
/** The page of each step; kiosks are paired on this page. */
const PLACES = {
  event: { to: '/events', section: undefined },
  colleague: { to: '/operators', section: undefined },
  recovery: { to: '/settings', section: 'backups' },
  network: { to: '/settings', section: 'network' },
} as const;

type StepsProps = {
  kiosks: readonly KioskRecord[];
  onPair: () => void;
};

export function FirstSteps({ kiosks, onPair }: StepsProps) {
  const words = useWords('setup').steps;
  const steps = useQuery(firstStepsOf(useScopeFilter()));
  if (steps.data === undefined || ORDER.every((step) => steps.data[step] !== false)) return null;
  const done = steps.data;
  const order = ORDER.filter((step) => done[step] !== null);
  return (
    <section className="panel" aria-labelledby="door-steps">
      <div className="panel__head">
        <h2 id="door-steps">{words.title}</h2>
        <span className="quiet">
          {words.progress({ done: order.filter((step) => done[step]).length, all: order.length })}
        </span>
      </div>
      <ol className="steps">
        {order.map((step) => (
          <Step key={step} step={step} isDone={done[step] === true} kiosks={kiosks} onPair={onPair} />
        ))}
      </ol>
      <Sample />
    </section>
  );
}

type StepProps = StepsProps & { step: keyof Steps; isDone: boolean };

function Step({ step, isDone, kiosks, onPair }: StepProps) {
  const words = useWords('setup').steps;
  const search = useSearch();
  return (
    <li className="steps__row" data-done={isDone}>
      <Icon name={isDone ? 'check' : 'circle'} />
      <span className="steps__name">
        {words.names[step]}
        {isDone && <span className="visually-hidden"> ({words.done})</span>}
      </span>
      {!isDone && step === 'kiosk' && (
        <Button size="compact-sm" variant="default" onClick={onPair}>
          {words.actions.kiosk}
        </Button>
      )}
      {!isDone && step === 'guest' && kiosks.some(({ paired_at }) => paired_at !== null) && (
        <StartAtKiosk kiosks={kiosks} label={words.actions.guest} size="compact-sm" variant="default" />
      )}
      {!isDone && step !== 'kiosk' && step !== 'guest' && (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to={PLACES[step].to} search={{ ...search, section: PLACES[step].section }} {...props} />
          )}
        >
          {words.actions[step]}
        </Button>
      )}
    </li>
  );
}

/** A sample company for exploring; the scope switch shows it. */
function Sample() {
  const words = useWords('setup').steps;
  const client = useQueryClient();
  const { companies } = useScope();
  const making = useMutation({
    mutationFn: () => call(system.makeDemo),
    onSuccess: ({ company_name: name }) => {
      notifications.show({ message: words.sampleAdded({ name }) });
      return client.invalidateQueries({ queryKey: companiesQuery.queryKey });
    },
  });
  if (companies.length > 1) return null;
  return (
    <div className="steps__sample">
      <Button variant="subtle" size="compact-sm" loading={making.isPending} onClick={() => making.mutate()}>
        {words.sample}
      </Button>
      <ErrorLine error={making.error} />
    </div>
  );
}
