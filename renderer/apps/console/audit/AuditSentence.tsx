import type { AuditLine } from '../../../../server/contract/console/audit.ts';
import { Sentence } from '../shared/Sentence.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { sentenceOf } from './sentence.ts';
import { Subject } from './Subject.tsx';

/** “Anna rolled the keys …”, with links to the subjects. */
export function AuditSentence({ line }: { line: AuditLine }) {
  const words = useWords('audit');
  return (
    <span>
      <Sentence words={(actor, subject) => sentenceOf(line, words, { actor, subject })}>
        <Actor line={line} />
        <Subject line={line} />
      </Sentence>
    </span>
  );
}

/** The actor: the operator’s or kiosk’s name, or another kind of actor. */
function Actor({ line: { actor, actor_name: name } }: { line: AuditLine }) {
  const { actors } = useWords('audit');
  if (name !== null) return <b title={actor}>{name}</b>;
  if (actor === 'system') return actors.system;
  if (actor === 'cli') return actors.cli;
  if (actor === 'person') return actors.person;
  if (actor === 'first start') return actors.firstStart;
  if (actor === 'recovery phrase') return actors.recovery;
  return <code title={actor}>{shortened(actor)}</code>;
}

/** `operator:` and the end of an ID, whose start many share. */
const shortened = (actor: string): string => {
  const [kind = '', id = ''] = actor.split(':');
  return id === '' ? kind : `${kind} ${id.slice(-8)}`;
};

/** Actions on a case or a person, newest first; renders nothing if there are none. */
export function AuditLines({ lines }: { lines: readonly AuditLine[] }) {
  const words = useWords('audit');
  if (lines.length === 0) return null;
  return (
    <section>
      <h2 className="drawer-heading">{words.history}</h2>
      <ol className="timeline">
        {lines.map((line) => (
          <li key={line.seq} className="timeline__item">
            <p className="timeline__head">
              <AuditSentence line={line} />
              <Time at={line.at} exact />
            </p>
            {typeof line.details['reason'] === 'string' && <p className="quiet">{line.details['reason']}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
