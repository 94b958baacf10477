/** Each change is asked once more, with the organiser's name and what will happen. */
import type { MyWords } from '../../../i18n/my/words.ts';
import { Screen } from '../Screen.tsx';
import type { MyFlow, MyState } from './my-flow.ts';

export type ConfirmProps = {
  flow: MyFlow;
  busy: boolean;
  asked: NonNullable<MyState['asked']>;
  words: MyWords;
};

export function Confirm({ flow, busy, asked: { kind, connection }, words }: ConfirmProps) {
  const { title, lines, confirm, working } = kind === 'erase' ? words.confirmErase : words.confirmDisconnect;
  return (
    <Screen
      title={title(connection.organiser)}
      icon={kind === 'erase' ? 'cross' : 'door'}
      tone={kind === 'erase' ? 'refused' : 'plain'}
      actions={
        <>
          <button type="button" className="button button--main" disabled={busy} onClick={flow.back}>
            {words.back}
          </button>
          <button type="button" className="button button--side" disabled={busy} onClick={flow.act}>
            {busy ? working : confirm}
          </button>
        </>
      }
    >
      {lines(connection.organiser).map((line) => (
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
