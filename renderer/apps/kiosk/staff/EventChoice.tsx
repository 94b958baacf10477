/** Assigns one of the company's events to the kiosk, without going to the console. */
import { useState } from 'react';
import { useKiosk } from '../context.ts';
import type { Unlocked } from '../device/desktop.ts';
import { Screen } from '../parts/Screen.tsx';
import { Button } from '../../../ui/Button.tsx';

export function EventChoice({ unlocked, onBack }: { unlocked: Unlocked; onBack: () => void }) {
  const { api, kiosk, words, messages, config } = useKiosk();
  const [asking, setAsking] = useState<'no' | 'asked' | 'failed'>('no');
  const { events, proof } = unlocked;
  const texts = words.event;
  const choose = (eventId: string) => {
    setAsking('asked');
    api.chooseEvent(proof.operatorId, proof.pin, eventId).then(kiosk.reset, () => setAsking('failed'));
  };
  return (
    <Screen
      title={texts.title}
      icon="door"
      actions={
        <Button look="quiet" onClick={onBack}>
          {words.back}
        </Button>
      }
    >
      {events.length === 0 && <p className="lead">{texts.none}</p>}
      <div className="people" role="group" aria-label={texts.title}>
        {events.map(({ event_id, name, is_test }) => (
          <Button
            key={event_id}
            look="side"
            aria-pressed={event_id === config?.event?.event_id}
            disabled={asking === 'asked'}
            onClick={() => choose(event_id)}
          >
            {is_test ? `${name} (${messages.testMode})` : name}
          </Button>
        ))}
      </div>
      <p className="problem" role="alert">
        {asking === 'failed' ? texts.failed : ''}
      </p>
    </Screen>
  );
}
