/** The code that makes this phone a scanner, and the name of who holds it. */
import { useState } from 'react';
import { Lead } from '../../../ui/Lead.tsx';
import { Screen } from '../Screen.tsx';
import type { Failure, ScanApi } from './scan-api.ts';
import { useScanWords } from './scan-words.ts';
import { Button } from '../../../ui/Button.tsx';

type JoinProps = {
  api: ScanApi;
  /** Of the address that was opened. */
  code: string;
  failure: Failure | null;
  onFailure: (error: unknown) => void;
  onJoined: () => void;
};

export function Join({ api, code: given, failure, onFailure, onJoined }: JoinProps) {
  const { join, failed } = useScanWords().scan;
  const [code, setCode] = useState(given);
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (event: Pick<Event, 'preventDefault'>) => {
    event.preventDefault();
    setBusy(true);
    try {
      await api.join(code, name);
      onJoined();
    } catch (error) {
      onFailure(error);
      setBusy(false);
    }
  };
  return (
    <Screen
      title={join.title}
      icon="code"
      actions={
        <Button
          type="submit"
          form="join"
          look="main"
          disabled={isBusy || code.trim() === '' || name.trim() === ''}
        >
          {join.start}
        </Button>
      }
    >
      <Lead>{join.text}</Lead>
      <form id="join" className="field scan__join" onSubmit={(event) => void send(event)}>
        <label>
          <span>{join.code}</span>
          <input
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={32}
            value={code}
            aria-describedby="join-trouble"
            aria-invalid={failure === 'wrongCode'}
            onChange={({ target }) => setCode(target.value)}
          />
        </label>
        <label>
          <span>{join.name}</span>
          <input
            name="name"
            autoComplete="name"
            maxLength={40}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <p id="join-trouble" className="scan__trouble" role="alert">
          {failure !== null && failed[failure]}
        </p>
      </form>
    </Screen>
  );
}
