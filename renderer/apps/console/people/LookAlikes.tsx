/** Twins and others whom a reviewer has told apart from a person. */
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { people } from '../../../../server/contract/routes/console/people.ts';
import type { LookAlikes as List } from '../../../../server/contract/console/people.ts';
import { reading } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';

type LookAlike = List['items'][number];

export function LookAlikes({ personId }: { personId: string }) {
  const { alike: words } = useWords('people');
  const scope = useScopeFilter();
  const scopedCall = useScopedCall();
  const client = useQueryClient();
  const key = ['person', scope, personId, 'look-alikes'];
  const { data } = useQuery(
    reading(key, people.lookAlikes, { params: { person_id: personId }, query: scope }),
  );
  const [other, setOther] = useState('');
  const [asked, setAsked] = useState<LookAlike | 'new' | null>(null);
  const change = async (name: string, told_apart: boolean, reason: string): Promise<void> => {
    const params = { person_id: personId };
    const body = { other: name, told_apart, reason };
    client.setQueryData(key, await scopedCall(people.changeLookAlike, { params, body }));
    setOther('');
    void client.invalidateQueries({ queryKey: ['person', scope, personId], exact: true });
  };
  const close = (): void => setAsked(null);
  return (
    <section className="stack">
      <h2 className="drawer-heading">{words.title}</h2>
      <p className="quiet">{words.text}</p>
      {data !== undefined && data.items.length > 0 && (
        <ul className="look-alikes">
          {data.items.map((item) => (
            <li key={item.person_id} className="row">
              <span>
                {item.name ?? item.short_id}{' '}
                <span className="quiet">
                  <TimeSentence words={words.since} at={item.since} />
                </span>
              </span>
              <Button size="compact-xs" variant="subtle" onClick={() => setAsked(item)}>
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button size="xs" variant="default" onClick={() => setAsked('new')}>
        {words.add}
      </Button>
      {asked === 'new' && (
        <ConfirmDialog
          title={words.add}
          confirm={words.add}
          withReason
          isReady={other.trim() !== ''}
          act={(reason) => change(other.trim(), true, reason)}
          onClose={close}
        >
          <TextInput
            label={words.other}
            data-autofocus
            autoComplete="off"
            maxLength={200}
            {...text(other, setOther)}
          />
        </ConfirmDialog>
      )}
      {asked !== null && asked !== 'new' && (
        <ConfirmDialog
          title={words.removeTitle({ name: asked.name ?? asked.short_id })}
          confirm={words.remove}
          withReason
          act={(reason) => change(asked.person_id, false, reason)}
          onClose={close}
        >
          <p>{words.text}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
