/** Lets in a guest who was denied at this kiosk: their number, then a reason, each with one touch. */
import { useState } from 'react';
import type { KioskGuest } from '../../../../server/contract/kiosk.ts';
import { timeOfDay } from '../../../i18n/language.ts';
import { useKiosk } from '../context.ts';
import type { Unlocked } from '../device/desktop.ts';
import { Screen } from '../parts/Screen.tsx';
import { Button } from '../../../ui/Button.tsx';

export function LetIn({ unlocked, onBack }: { unlocked: Unlocked; onBack: () => void }) {
  const { api, kiosk, words, language } = useKiosk();
  const [guest, setGuest] = useState<KioskGuest | null>(null);
  const [asking, setAsking] = useState<'no' | 'asked' | 'failed'>('no');
  const { guests, proof } = unlocked;
  const texts = words.letIn;
  const letIn = (id: string, reason: string) => {
    setAsking('asked');
    api.letIn(proof.operatorId, proof.pin, id, reason).then(kiosk.reset, () => setAsking('failed'));
  };
  return (
    <Screen
      title={guest === null ? texts.title : texts.why({ number: guest.number })}
      icon="people"
      actions={
        <Button look="quiet" onClick={guest === null ? onBack : () => setGuest(null)}>
          {words.back}
        </Button>
      }
    >
      <div className="people" role="group" aria-label={texts.title}>
        {guest === null
          ? guests.map((each) => (
              <Button key={each.session_id} look="side" onClick={() => setGuest(each)}>
                {texts.guest({ number: each.number, time: timeOfDay(each.at, language) })}
              </Button>
            ))
          : Object.values(texts.reasons).map((reason) => (
              <Button
                key={reason}
                look="side"
                disabled={asking === 'asked'}
                onClick={() => letIn(guest.session_id, reason)}
              >
                {reason}
              </Button>
            ))}
      </div>
      <p className="problem" role="alert">
        {asking === 'failed' ? texts.failed : ''}
      </p>
    </Screen>
  );
}
