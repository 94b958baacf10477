/**
 * Asks for a PIN, and for nothing else: names before it would tell guests who works here. Only the server knows whose it
 * is, so nothing opens without its answer.
 */
import { useEffect, useState } from 'react';
import type { KioskUnlockResponse } from '../../../../server/contract/kiosk.ts';
import { PIN_DIGITS } from '../../../../server/contract/text-bounds.ts';
import { useKiosk } from '../context.ts';
import { kioskRefusalOf, type KioskRefusal } from '../kiosk-api.ts';
import { DIGITS, Keys } from '../parts/Keys.tsx';
import { Screen, Waiting } from '../parts/Screen.tsx';
import type { Unlocked } from '../device/desktop.ts';
import { Button } from '../../../ui/Button.tsx';

type People = KioskUnlockResponse['people'];

export function Unlock({ onUnlocked }: { onUnlocked: (unlocked: Unlocked) => void }) {
  const { api, words } = useKiosk();
  /** Null until the server has said whether anybody has a PIN. */
  const [isPinSet, setPinSet] = useState<boolean | null>(null);
  const [problem, setProblem] = useState<KioskRefusal | null>(null);
  const [pin, setPin] = useState('');
  /** Those who chose the same PIN. */
  const [people, setPeople] = useState<People>([]);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    let isOver = false;
    api.staff().then(
      ({ items }) => {
        if (!isOver) setPinSet(items.length > 0);
      },
      (error: unknown) => {
        if (!isOver) setProblem(kioskRefusalOf(error));
      },
    );
    return () => void (isOver = true);
  }, [api]);

  const unlock = (digits: string, operatorId: string | null) => {
    setBusy(true);
    api
      .unlock(digits, operatorId)
      .then(
        (answer) => {
          const [person, ...others] = answer.people;
          if (others.length > 0) setPeople(answer.people);
          else if (person !== undefined) {
            const proof = { operatorId: person.operator_id, pin: digits };
            onUnlocked({ name: person.name, proof, events: answer.events, guests: answer.guests });
          }
        },
        (error: unknown) => {
          setProblem(kioskRefusalOf(error));
          setPeople([]);
          setPin('');
        },
      )
      .finally(() => setBusy(false));
  };
  const enter = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, PIN_DIGITS);
    setPin(digits);
    if (digits.length === PIN_DIGITS && !isBusy) unlock(digits, null);
  };

  const texts = words.unlock;
  if (isPinSet === null && problem === null) return <Waiting title={words.wait.title} />;
  if (isPinSet === false) return <Nobody />;
  if (people.length > 0) {
    return (
      <Screen title={texts.who} icon="lock" actions={<Back />}>
        <div className="people">
          {people.map(({ operator_id, name }) => (
            <Button key={operator_id} look="side" disabled={isBusy} onClick={() => unlock(pin, operator_id)}>
              {name}
            </Button>
          ))}
        </div>
      </Screen>
    );
  }
  return (
    <Screen
      title={texts.title}
      icon="lock"
      actions={
        <>
          <Keys keys={DIGITS} value={pin} maxLength={PIN_DIGITS} isDisabled={isBusy} onChange={enter} />
          <Back />
        </>
      }
    >
      <input
        className="field"
        type="password"
        inputMode="none"
        autoComplete="off"
        autoFocus
        aria-label={texts.pinLabel}
        aria-invalid={problem !== null}
        placeholder={texts.pinLabel}
        value={pin}
        readOnly={isBusy}
        onChange={(event) => enter(event.target.value)}
      />
      <p className="problem" role="alert">
        {isBusy ? texts.checking : problemWords(problem, texts)}
      </p>
    </Screen>
  );
}

function Back() {
  const { kiosk, words } = useKiosk();
  return (
    <Button look="quiet" onClick={kiosk.reset}>
      {words.back}
    </Button>
  );
}

/** Nobody's PIN could be asked for, so the app lets anybody leave, once the server has confirmed it. */
function Nobody() {
  const { words, desktop } = useKiosk();
  const [isBusy, setBusy] = useState(false);
  const [stays, setStays] = useState(false);
  const leave = desktop !== null && (
    <Button
      look="main"
      disabled={isBusy}
      onClick={() => {
        setBusy(true);
        desktop
          .leave(null)
          .then(
            (answer) => answer !== 'left' && setStays(true),
            () => setStays(true),
          )
          .finally(() => setBusy(false));
      }}
    >
      {isBusy ? words.menu.leaving : words.menu.leave}
    </Button>
  );
  const actions = (
    <>
      {leave}
      <Back />
    </>
  );
  return (
    <Screen title={words.unlock.title} icon="lock" actions={actions}>
      <p className="lead">{words.unlock.nobody}</p>
      {stays && (
        <p className="problem" role="alert">
          {words.menu.leaveFailed}
        </p>
      )}
    </Screen>
  );
}

function problemWords(
  problem: KioskRefusal | null,
  texts: ReturnType<typeof useKiosk>['words']['unlock'],
): string {
  if (problem === null) return '';
  if (problem.code === 'wrong_pin') return texts.wrong_pin;
  if (problem.code === 'locked_out')
    return texts.locked_out({ minutes: Math.ceil((problem.retryAfterS ?? 60) / 60) });
  return problem.code === 'offline' ? texts.offline : texts.busy;
}
