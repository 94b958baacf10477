/** Asks for confirmation of each change, with the organiser's name and the effect. */
import type { MyMessages } from '../../../../locales/types/my.ts';
import { linesOf } from '../../../i18n/messages.ts';
import { Screen } from '../Screen.tsx';
import type { MyFlow, MyState } from './my-flow.ts';
import { Button } from '../../../ui/Button.tsx';

type ConfirmProps = {
  flow: MyFlow;
  busy: boolean;
  asked: NonNullable<MyState['asked']>;
  words: MyMessages;
};

export function Confirm({ flow, busy, asked: { kind, connection }, words }: ConfirmProps) {
  const { title, lines, confirm, working } = kind === 'erase' ? words.confirmErase : words.confirmDisconnect;
  return (
    <Screen
      title={title({ organiser: connection.organiser })}
      icon={kind === 'erase' ? 'cross' : 'door'}
      tone={kind === 'erase' ? 'refused' : 'plain'}
      actions={
        <>
          <Button look="main" disabled={busy} onClick={flow.back}>
            {words.back}
          </Button>
          <Button look="side" disabled={busy} onClick={flow.act}>
            {busy ? working : confirm}
          </Button>
        </>
      }
    >
      {linesOf(lines, { organiser: connection.organiser }).map((line) => (
        <p key={line} className="lead">
          {line}
        </p>
      ))}
      <p role="status" className="visually-hidden">
        {busy && working}
      </p>
    </Screen>
  );
}
