/**
 * Asks for the operator and their PIN. Only the server knows whether it is right, so nothing opens without its answer.
 */
import { useEffect, useState } from 'react';
import type { KioskStaff } from '../../../../server/contract/kiosk.ts';
import { PIN_DIGITS } from '../../../../server/contract/text-bounds.ts';
import { useKiosk } from '../context.ts';
import { kioskRefusalOf, type KioskRefusal } from '../kiosk-api.ts';
import { DIGITS, Keys } from '../parts/Keys.tsx';
import { Screen, Waiting } from '../parts/Screen.tsx';
import type { Unlocked } from '../device/desktop.ts';

type Person = KioskStaff['items'][number];

export function Unlock({ onUnlocked }: { onUnlocked: (unlocked: Unlocked) => void }) {
  const { api, words, kiosk, desktop } = useKiosk();
  const [staff, setStaff] = useState<readonly Person[] | null>(null);
  const [problem, setProblem] = useState<KioskRefusal | null>(null);
  const [person, setPerson] = useState<Person | null>(null);
  const [pin, setPin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [stays, setStays] = useState(false);
  const texts = words.unlock;

  useEffect(() => {
    let isOver = false;
    api.staff().then(
      ({ items }) => {
        if (!isOver) setStaff(items);
      },
      (error: unknown) => {
        if (!isOver) setProblem(kioskRefusalOf(error));
      },
    );
    return () => void (isOver = true);
  }, [api]);

  const enter = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, PIN_DIGITS);
    setPin(digits);
    if (person === null || digits.length < PIN_DIGITS || isBusy) return;
    setBusy(true);
    api
      .unlock(person.operator_id, digits)
      .then(
        ({ name, events }) =>
          onUnlocked({ name, events, proof: { operatorId: person.operator_id, pin: digits } }),
        (error: unknown) => {
          setProblem(kioskRefusalOf(error));
          setPin('');
        },
      )
      .finally(() => setBusy(false));
  };

  const back = (
    <button type="button" className="button button--quiet" onClick={kiosk.reset}>
      {words.back}
    </button>
  );
  if (person !== null) {
    return (
      <Screen
        title={texts.pin({ name: person.name })}
        icon="lock"
        actions={
          <>
            <Keys keys={DIGITS} value={pin} maxLength={PIN_DIGITS} isDisabled={isBusy} onChange={enter} />
            {back}
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
  if (staff === null && problem === null) return <Waiting title={words.wait.title} />;
  const people = staff ?? [];
  // Nobody's PIN could be asked for, so the app lets anybody leave, once the server has confirmed it.
  const leave = desktop !== null && staff !== null && people.length === 0 && (
    <button
      type="button"
      className="button button--main"
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
    </button>
  );
  const actions = (
    <>
      {leave}
      {back}
    </>
  );
  return (
    <Screen title={texts.title} icon="lock" actions={actions}>
      <p className="lead" role={problem === null ? undefined : 'alert'}>
        {problem !== null ? problemWords(problem, texts) : people.length === 0 ? texts.nobody : texts.text}
      </p>
      {stays && (
        <p className="problem" role="alert">
          {words.menu.leaveFailed}
        </p>
      )}
      <div className="people">
        {people.map((each) => (
          <button
            key={each.operator_id}
            type="button"
            className="button button--side"
            onClick={() => setPerson(each)}
          >
            {each.name}
          </button>
        ))}
      </div>
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
