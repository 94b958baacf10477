/** Shared by the sections: a panel with its heading, one with a form, and loading a setting before it is shown. */
import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { type Obstacle, Submit, Form } from '../shared/forms/Submit.tsx';
import { ErrorLine, ErrorState, Said, useLate } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';

export function Panel({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text !== undefined && <p className="quiet">{text}</p>}
      {children}
    </section>
  );
}

/** A panel with a form: its fields, then the error or, once it was sent, `said`, then its button. By default it saves. */
export function PanelForm({
  sending,
  form,
  said,
  submit,
  variant = 'filled',
  obstacle = null,
  children,
  ...panel
}: {
  title: string;
  text?: string;
  sending: { mutate: () => void; error: unknown; isPending: boolean; isSuccess: boolean; notes?: ReactNode };
  /** One that is sent only once it is changed. */
  form?: { isChanged: boolean };
  said?: string | null;
  /** The button's label; null without a button. */
  submit?: string | null;
  variant?: 'filled' | 'default';
  obstacle?: Obstacle | null;
  children: ReactNode;
}) {
  const { saved } = useWords('settings');
  const { actions } = useCommonWords();
  const done = said === undefined ? saved : said;
  return (
    <Panel {...panel}>
      <Form className="stack form" onSubmit={() => sending.mutate()}>
        {children}
        {sending.notes}
        <ErrorLine error={sending.error} />
        {sending.isSuccess && done !== null && <Said>{done}</Said>}
        {submit !== null && (
          <div className="row">
            <Submit
              variant={variant}
              obstacle={obstacle ?? (form?.isChanged === false ? 'unchanged' : null)}
              loading={sending.isPending}
            >
              {submit ?? actions.save}
            </Submit>
          </div>
        )}
      </Form>
    </Panel>
  );
}

export const settingKey = (...name: readonly string[]) => ['settings', ...name];

/** Loads a setting, then shows it. `put` shows the reply to a change. The section appears once all its settings are loaded. */
export function WithSetting<T>({
  name,
  read,
  refetchMs,
  children,
}: {
  /** The setting, and anything else that identifies it. */
  name: readonly string[];
  read: (signal: AbortSignal) => Promise<T>;
  /** Refresh interval; false for never. */
  refetchMs?: (setting: T) => number | false;
  children: (setting: T, put: (next: T) => void) => ReactNode;
}) {
  const client = useQueryClient();
  const key = settingKey(...name);
  const reading = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal),
    refetchInterval: ({ state }) =>
      state.data !== undefined && refetchMs !== undefined ? refetchMs(state.data) : false,
  });
  const isLate = useLate(reading.isPending);
  if (reading.data !== undefined) {
    return children(reading.data, (next) => {
      client.setQueryData(key, next);
    });
  }
  if (reading.isError) return <ErrorState error={reading.error} retry={() => void reading.refetch()} />;
  return <div aria-busy="true">{isLate && <Skeleton height={180} radius={12} />}</div>;
}
