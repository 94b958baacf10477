import { Textarea } from '@mantine/core';
import { MAX_NOTE_CHARS, type ReviewCaseDetail } from '../../../../../server/contract/console/reviews.ts';
import { AuditLines } from '../../audit/AuditSentence.tsx';
import { ErrorLine } from '../../shared/states.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useWords } from '../../shared/words.tsx';
import { useNote } from '../use-reviews.ts';
import { Submit, Form } from '../../shared/forms/Submit.tsx';

const EMPTY = { text: '' };

/** Notes for the next reviewer, and the history of the case. */
export function CaseNotes({ detail: { item, notes, changes } }: { detail: ReviewCaseDetail }) {
  const { notes: words } = useWords('reviews');
  const form = useForm({ name: `note ${item.case_id}`, read: EMPTY });
  const { text } = form.values;
  const adding = useNote(item.case_id, form.discard);
  return (
    <section className="side" aria-label={words.title}>
      <h2>{words.title}</h2>
      {notes.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <ul className="case-notes">
          {notes.map((note) => (
            <li key={note.note_id}>
              <p>{note.text}</p>
              <p className="quiet">
                {note.by} · <Time at={note.at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Form className="case-notes__form" onSubmit={() => text.trim() !== '' && adding.mutate(text.trim())}>
        <Textarea
          size="xs"
          label={words.add}
          description={words.help}
          autosize
          minRows={1}
          maxLength={MAX_NOTE_CHARS}
          {...form.text('text')}
        />
        <ErrorLine error={adding.error} />
        <div className="row">
          <Submit
            size="xs"
            variant="default"
            loading={adding.isPending}
            obstacle={text.trim() === '' ? 'incomplete' : null}
          >
            {words.save}
          </Submit>
        </div>
      </Form>
      <AuditLines lines={changes} />
    </section>
  );
}
