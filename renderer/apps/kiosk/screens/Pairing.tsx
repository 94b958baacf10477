/** Makes this device a kiosk, with the code from the console. */
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import type { PairingState } from '../kiosk-state.ts';
import { Keys } from '../parts/Keys.tsx';
import { Screen } from '../parts/Screen.tsx';

/** The code's alphabet, without ambiguous characters. */
const CHARACTERS = Array.from('23456789ABCDEFGHJKMNPQRSTVWXYZ');
const CODE_LENGTH = 8;

const plain = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, CODE_LENGTH);
const grouped = (code: string): string => (code.length > 4 ? `${code.slice(0, 4)}-${code.slice(4)}` : code);

export function Pairing({ pairing }: { pairing: PairingState }) {
  const { kiosk, words, desktop } = useKiosk();
  const [code, setCode] = useState('');
  const texts = words.pairing;
  const { problem } = pairing;
  const said =
    problem === null
      ? pairing.wasRevoked
        ? texts.revoked
        : ''
      : problem === 'invalid_pairing_code' || problem === 'too_many_pairings'
        ? texts[problem]
        : problem === 'portal'
          ? `${words.trouble.portal.title}. ${words.trouble.portal.text}`
          : texts.offline;
  return (
    <Screen
      title={texts.title}
      icon="link"
      actions={
        <form
          className="keyed"
          onSubmit={(event) => {
            event.preventDefault();
            void kiosk.pair(code);
          }}
        >
          <Keys keys={CHARACTERS} value={code} maxLength={CODE_LENGTH} onChange={setCode} />
          <div className="row">
            <Button type="submit" look="main" disabled={pairing.isBusy || code.length < CODE_LENGTH}>
              {texts.pair}
            </Button>
            {desktop !== null && (
              <Button look="side" onClick={() => void desktop.leave(null)}>
                {words.menu.leave}
              </Button>
            )}
          </div>
        </form>
      }
    >
      <Lead>{texts.text}</Lead>
      <input
        className="field field--code"
        aria-label={texts.label}
        autoComplete="off"
        spellCheck={false}
        value={grouped(code)}
        aria-invalid={problem !== null}
        aria-describedby="pairing-problem"
        onChange={(event) => setCode(plain(event.target.value))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && code.length === CODE_LENGTH) void kiosk.pair(code);
        }}
      />
      <p id="pairing-problem" className="problem" role="alert">
        {said}
      </p>
    </Screen>
  );
}
