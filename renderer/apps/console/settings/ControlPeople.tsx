/** People who agreed that reviewers see their pictures as control cases. */
import { Button, Checkbox, FileInput, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ControlSettings,
  MAX_CONTROL_NAME,
  MOST_CONTROL_DAYS,
} from '../../../../server/contract/console/controls.ts';
import { LOGO_TYPES } from '../../../../server/contract/console/events.ts';
import { controls } from '../../../../server/contract/routes/console/controls.ts';
import { call, fileAddress } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { longDay } from '../shared/time/time.ts';
import { Cost } from '../shared/Cost.tsx';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';

const USUAL_DAYS = 90;

type Props = { setting: ControlSettings; put: (next: ControlSettings) => void };

export function ControlPeople({ setting: { people }, put }: Props) {
  const { controls: words } = useWords('settings');
  const { actions } = useCommonWords();
  const { language } = useLanguage();
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <Panel title={words.people}>
      {people.length === 0 && <p className="quiet">{words.nobody}</p>}
      <ul className="settings__files">
        {people.map(({ name, pictures, kept_until: until }) => (
          <li key={name}>
            <span>
              {name}
              <br />
              <span className="quiet">
                {words.person({ count: pictures.length, day: longDay(until, language) })}
              </span>
            </span>
            <span className="settings__faces">
              {pictures.map((id) => (
                <img
                  key={id}
                  src={fileAddress(controls.picture, { params: { picture_id: id } })}
                  alt={words.picture({ name })}
                />
              ))}
            </span>
            <Button
              size="xs"
              variant="default"
              aria-label={words.remove({ name })}
              onClick={() => setRemoving(name)}
            >
              {actions.remove}
            </Button>
          </li>
        ))}
      </ul>
      <AddPictures put={put} />
      {removing !== null && (
        <ConfirmDialog
          title={words.remove({ name: removing })}
          confirm={actions.remove}
          destructive
          act={async () => put(await call(controls.removePerson, { params: { name: removing } }))}
          onClose={() => setRemoving(null)}
        >
          {words.removeText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function AddPictures({ put }: Pick<Props, 'put'>) {
  const { controls: words } = useWords('settings');
  const [name, setName] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [days, setDays] = useState(USUAL_DAYS);
  const [hasAgreed, setAgreed] = useState(false);
  const adding = useMutation({
    async mutationFn() {
      // One after the other: each reply has those before it.
      for (const [sent, file] of files.entries()) {
        put(
          await call(controls.addPicture, {
            params: { name: name.trim() },
            query: { agreed: 'yes', keep_days: days },
            file,
          }),
        );
        // What was stored is not sent again after an error.
        setFiles(files.slice(sent + 1));
      }
    },
    onSuccess() {
      setName('');
      setAgreed(false);
    },
  });
  const isComplete = name.trim() !== '' && files.length > 0 && hasAgreed;
  const isWithin = days >= 1 && days <= MOST_CONTROL_DAYS;
  return (
    <Form className="stack form" onSubmit={() => adding.mutate()}>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        maxLength={MAX_CONTROL_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FileInput
        label={words.files}
        accept={LOGO_TYPES.join(',')}
        multiple
        clearable
        value={files}
        onChange={setFiles}
      />
      <NumberInput
        label={words.days}
        allowDecimal={false}
        clampBehavior="none"
        value={days}
        error={!isWithin}
        onChange={(value) => setDays(Number(value))}
      />
      <Cost of="controls" />
      <Checkbox
        label={words.agreed}
        checked={hasAgreed}
        onChange={(event) => setAgreed(event.currentTarget.checked)}
      />
      <ErrorLine error={adding.error} />
      <div className="row">
        <Submit
          variant="default"
          obstacle={!isWithin ? 'outOfRange' : isComplete ? null : 'incomplete'}
          loading={adding.isPending}
        >
          {words.add}
        </Submit>
      </div>
    </Form>
  );
}
