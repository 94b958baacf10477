import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import type { MatchingSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { Submit } from '../shared/forms/Submit.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';

const STEP = 0.01;

/** The similarity below which a case needs two reviewers. */
export function SecondOpinion({
  matching,
  put,
  query,
}: {
  matching: MatchingSettings;
  put: (next: MatchingSettings) => void;
  query: Readonly<Record<string, string>>;
}) {
  const { matching: words } = useWords('settings');
  const form = useForm({
    name: 'second opinion',
    read: { second_opinion_below: matching.second_opinion_below, reason: '' },
    version: matching.version,
  });
  const { second_opinion_below: below, reason } = form.values;
  const [asked, setAsked] = useState(false);
  const saving = useSaving(form, {
    send: (_changes, version) =>
      call(settings.changeMatching, {
        query,
        body: { second_opinion_below: below, reason: reason.trim(), version },
      }),
    onSaved(next) {
      setAsked(false);
      put(next);
    },
    labels: { second_opinion_below: words.secondBelow },
  });
  const isWithin = below >= 0 && below <= 1;
  return (
    <Panel title={words.secondTitle} text={words.secondHelp}>
      <div className="stack form">
        <NumberInput
          label={words.secondBelow}
          description="0 … 1"
          step={STEP}
          decimalScale={2}
          clampBehavior="none"
          value={below}
          error={!isWithin}
          onChange={(value) => form.set({ second_opinion_below: Number(value) })}
        />
        <div className="row">
          <Submit
            obstacle={!isWithin ? 'outOfRange' : below === matching.second_opinion_below ? 'unchanged' : null}
            onClick={() => setAsked(true)}
          >
            {words.secondChange}
          </Submit>
        </div>
      </div>
      {asked && (
        <FormDialog
          title={words.secondChange}
          submit={words.secondChange}
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
