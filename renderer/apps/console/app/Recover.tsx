/** A new passphrase for an admin who lost theirs, by the recovery phrase; only while the desktop app was started for it. */
import { Button, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RecoverableAdmins } from '../../../../server/contract/console/access.ts';
import { setup } from '../../../../server/contract/routes/console/access.ts';
import { MAX_PHRASE_CHARS } from '../../../../server/contract/console/settings.ts';
import { NewPassphrase, strengthOf } from '../shared/dialogs/NewPassphrase.tsx';
import { call } from '../shared/client/api.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Entrance } from './Entrance.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { text, tick } from '../shared/forms/fields.ts';

export function Recover({ onLeave }: { onLeave: (hasRecovered: boolean) => void }) {
  const { recover: words } = useWords('setup');
  const [phrase, setPhrase] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const proving = useMutation({
    mutationFn: () => call(setup.recoverableAdmins, { body: { phrase } }),
  });
  return (
    <Entrance title={words.title} wide>
      {proving.data === undefined ? (
        <Form onSubmit={() => proving.mutate()}>
          <p className="quiet">{words.text}</p>
          <Textarea
            ref={field}
            label={words.phrase}
            description={words.phraseHelp}
            required
            withAsterisk={false}
            rows={4}
            autosize={false}
            maxLength={MAX_PHRASE_CHARS}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...text(phrase, setPhrase)}
          />
          <ErrorLine error={proving.error} />
          <Submit size="md" obstacle={phrase.trim() === '' ? 'incomplete' : null} loading={proving.isPending}>
            {words.next}
          </Submit>
          <Button variant="default" size="md" onClick={() => onLeave(false)}>
            {words.back}
          </Button>
        </Form>
      ) : (
        <NewSecret phrase={phrase} admins={proving.data.admins} onDone={() => onLeave(true)} />
      )}
    </Entrance>
  );
}

type Props = { phrase: string; admins: RecoverableAdmins['admins']; onDone: () => void };

function NewSecret({ phrase, admins, onDone }: Props) {
  const { recover: words } = useWords('setup');
  const [chosen, setChosen] = useState(admins[0]?.operator_id ?? '');
  const [passphrase, setPassphrase] = useState('');
  const [removesFactor, setRemovesFactor] = useState(false);
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => field.current?.focus(), []);
  const saving = useMutation({
    mutationFn: () =>
      call(setup.recover, {
        body: { phrase, operator_id: chosen, passphrase, remove_second_factor: removesFactor },
      }),
    onSuccess: onDone,
  });
  const hasFactor = admins.find(({ operator_id }) => operator_id === chosen)?.has_second_factor === true;
  return (
    <Form onSubmit={() => saving.mutate()}>
      <NativeSelect
        ref={field}
        label={words.admin}
        value={chosen}
        data={admins.map(({ operator_id: value, name: label }) => ({ value, label }))}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value);
          setRemovesFactor(false);
        }}
      />
      <NewPassphrase label={words.passphrase} value={passphrase} onChange={setPassphrase} />
      {hasFactor && (
        <Checkbox
          label={words.factor}
          description={words.factorHelp}
          {...tick(removesFactor, setRemovesFactor)}
        />
      )}
      <ErrorLine error={saving.error} />
      <Submit
        size="md"
        obstacle={['short', 'weak'].includes(strengthOf(passphrase)) ? 'incomplete' : null}
        loading={saving.isPending}
      >
        {words.save}
      </Submit>
    </Form>
  );
}
