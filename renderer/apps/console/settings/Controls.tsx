/** How often control cases come, and the people whose pictures they show. */
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { CONTROL_RATE, type ControlSettings } from '../../../../server/contract/console/controls.ts';
import { controls } from '../../../../server/contract/routes/console/controls.ts';
import { call } from '../shared/client/api.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { Submit } from '../shared/forms/Submit.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { ControlPeople } from './ControlPeople.tsx';
import { Panel, WithSetting } from './Section.tsx';

export function Controls() {
  return (
    <WithSetting name={['controls']} read={(signal) => call(controls.read, { signal })}>
      {(setting, put) => (
        <>
          <Rate setting={setting} put={put} />
          <ControlPeople setting={setting} put={put} />
        </>
      )}
    </WithSetting>
  );
}

function Rate({ setting, put }: { setting: ControlSettings; put: (next: ControlSettings) => void }) {
  const { controls: words } = useWords('settings');
  const form = useForm({
    name: 'control cases',
    read: { one_in: setting.one_in, reason: '' },
    version: setting.version,
  });
  const { one_in: oneIn, reason } = form.values;
  const [asked, setAsked] = useState(false);
  const saving = useSaving(form, {
    send: (_changes, version) =>
      call(controls.change, { body: { one_in: oneIn, reason: reason.trim(), version } }),
    onSaved(next) {
      setAsked(false);
      put(next);
    },
    labels: { one_in: words.oneIn },
  });
  const isWithin = oneIn === 0 || (oneIn >= CONTROL_RATE.least && oneIn <= CONTROL_RATE.most);
  return (
    <Panel title={words.title} text={words.photosText}>
      <div className="stack form">
        <NumberInput
          label={words.oneIn}
          description={words.oneInHelp(CONTROL_RATE)}
          allowDecimal={false}
          clampBehavior="none"
          value={oneIn}
          error={!isWithin}
          onChange={(value) => form.set({ one_in: Number(value) })}
        />
        {setting.obstacle === 'pictures' && (
          <p className="note" data-tone="look">
            <span>{words.obstacle}</span>
          </p>
        )}
        <div className="row">
          <Submit
            obstacle={!isWithin ? 'outOfRange' : oneIn === setting.one_in ? 'unchanged' : null}
            onClick={() => setAsked(true)}
          >
            {words.change}
          </Submit>
        </div>
      </div>
      {asked && (
        <FormDialog
          title={words.change}
          submit={words.change}
          isReady={isReason(reason)}
          obstacle="needsReason"
          // Closing it loses nothing: the form is below.
          sending={{ ...saving, place: undefined }}
          onClose={() => setAsked(false)}
        >
          <div>{words.changeText}</div>
          <Reason data-autofocus value={reason} onChange={(text) => form.set({ reason: text })} />
        </FormDialog>
      )}
    </Panel>
  );
}
