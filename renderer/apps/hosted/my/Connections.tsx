/** The organisers who know this person, and the actions for each. */
import type { MyConnection, MyKept } from '../../../../server/contract/my.ts';
import { dayInWords } from '../../../i18n/language.ts';
import type { MyMessages } from '../../../../locales/types/my.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { useWords } from '../messages-context.ts';
import { Screen } from '../Screen.tsx';
import type { MyFlow, MyState } from './my-flow.ts';

type ConnectionsProps = { flow: MyFlow; state: MyState; words: MyMessages };

export function Connections({ flow, state: { connections, isOfRun }, words }: ConnectionsProps) {
  const isEmpty = connections.length === 0;
  return (
    <Screen
      title={isEmpty ? (isOfRun ? words.emptyTitleOfRun : words.emptyTitle) : words.listTitle}
      actions={
        <Button look="main" onClick={flow.close}>
          {words.done}
        </Button>
      }
    >
      <Lead>{introduction(isEmpty, isOfRun, words)}</Lead>
      {!isEmpty && (
        <ul className="connections">
          {connections.map((connection) => (
            <Connection key={connection.connection_id} flow={flow} connection={connection} words={words} />
          ))}
        </ul>
      )}
    </Screen>
  );
}

function introduction(isEmpty: boolean, isOfRun: boolean, words: MyMessages): string {
  if (isEmpty) return isOfRun ? words.emptyTextOfRun : words.emptyText;
  return isOfRun ? words.listTextOfRun : words.listText;
}

type ConnectionProps = { flow: MyFlow; connection: MyConnection; words: MyMessages };

function Connection({ flow, connection, words }: ConnectionProps) {
  const { language } = useWords();
  const { connection_id: id, organiser, is_test: isTest, connected, kept } = connection;
  const nameId = `organiser-${id}`;
  return (
    <li className="connection" data-connected={connected}>
      <div className="connection__head">
        <h2 id={nameId}>{organiser}</h2>
        {isTest && (
          <span className="badge badge--test">
            <Icon name="flask" size={16} />
            {words.test}
          </span>
        )}
        <span className={connected ? 'badge badge--on' : 'badge'}>
          <Icon name={connected ? 'check' : 'door'} size={16} />
          {connected ? words.connected : words.disconnected}
        </span>
      </div>
      <dl className="connection__dates">
        <div>
          <dt>{words.since}</dt>
          <dd>{dayInWords(connection.since, language)}</dd>
        </div>
        <div>
          <dt>{words.lastVisit}</dt>
          <dd>{dayInWords(connection.last_seen_at, language)}</dd>
        </div>
      </dl>
      <Kept kept={kept} words={words} />
      <div className="connection__actions">
        {connected && (
          <Button look="side" aria-describedby={nameId} onClick={() => flow.ask('disconnect', connection)}>
            {words.disconnect}
          </Button>
        )}
        <button
          type="button"
          className="button button--side button--erase"
          aria-describedby={nameId}
          onClick={() => flow.ask('erase', connection)}
        >
          {words.erase}
        </button>
      </div>
    </li>
  );
}

/** What is kept, and until when. */
function Kept({ kept, words }: { kept: readonly MyKept[]; words: MyMessages }) {
  const { language } = useWords();
  const untilOf = ({ what, until }: MyKept): string => {
    if (until !== null) return words.keptUntil({ day: dayInWords(until, language) });
    return what === 'pictures' ? words.keptUntilDecided : words.keptUntilErased;
  };
  const nameOf = ({ what, event }: MyKept): string => {
    const name = words.kept[what === 'face' && event !== null ? 'faceOf' : what];
    return typeof name === 'string' ? name : name({ event: event ?? '' });
  };
  return (
    <section className="connection__kept">
      <h3>{words.keptTitle}</h3>
      {kept.length === 0 ? (
        <p>{words.keptNothing}</p>
      ) : (
        <>
          <dl>
            {kept.map((one) => (
              <div key={`${one.what} ${one.event} ${one.until}`}>
                <dt>{nameOf(one)}</dt>
                <dd>{untilOf(one)}</dd>
              </div>
            ))}
          </dl>
          <p className="quiet">{words.keptEarlier}</p>
        </>
      )}
    </section>
  );
}
