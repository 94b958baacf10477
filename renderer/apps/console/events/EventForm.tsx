import { Alert, Button, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { events } from '../../../../server/contract/routes/console/events.ts';
import {
  type EventRecord,
  MAX_ENTRIES,
  MAX_EVENT_NAME_CHARS,
  MAX_GUEST_PHOTO_DAYS,
} from '../../../../server/contract/console/events.ts';
import { LIMIT_KINDS, type LimitKind } from '../../../../server/contract/console/common.ts';
import { MAX_ID_LENGTH } from '../../../../server/contract/text-bounds.ts';
import { serverNowMs } from '../shared/time/server-time.ts';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { CloseButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { shownZone } from '../shared/time/field.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { dayAndTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { draftOf, type EventDraft, newDraft, takeValue, toChange, toRequest } from './event-form.ts';
import { LanguageTicks } from './LanguageTicks.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { useEventOptions } from './EventFacts.tsx';
import { WordsFields } from './WordsFields.tsx';
import { Submit } from '../shared/forms/Submit.tsx';

type Set = (change: Partial<EventDraft>) => void;

/** Creates an event, or changes the given one. */
export function EventForm({
  event,
  onSaved,
  onClose,
}: {
  event: EventRecord | null;
  onSaved: (event: EventRecord) => void;
  onClose: () => void;
}) {
  const words = useWords('events');
  const common = useCommonWords();
  const call = useScopedCall();
  const [blank] = useState(() => newDraft(serverNowMs()));
  const form = useForm({
    name: eventDraft(event?.event_id),
    read: { ...(event === null ? blank : draftOf(event)), reason: '' },
    version: event?.version,
  });
  const { reason, ...draft } = form.values;
  const set: Set = form.set;
  const request = toRequest(draft);
  const change = event === null ? null : toChange(form.opened, draft);
  const hasChanged = change !== null && Object.keys(change).length > 0;
  const ready = request !== null && (event === null || (hasChanged && isReason(reason)));
  const saving = useSaving(form, {
    send: (_changes, version) => {
      if (request === null) throw new Error('The form was sent without a required value.');
      return event === null
        ? call(events.create, { body: request })
        : call(events.change, {
            params: { event_id: event.event_id },
            body: { ...change, reason: reason.trim(), version },
          });
    },
    onSaved,
    labels: {
      name: words.name,
      starts_at: words.starts,
      ends_at: words.ends,
      verification_id: words.verification,
      group: words.group,
      'limit.kind': words.limit,
      'limit.max': words.times,
      languages: words.languages,
      words: words.words,
      colour: words.colour,
      guest_photo_days: words.guestPhotoDays,
    },
    show: useShownValue(),
    take: takeValue,
  });
  return (
    <Dialog
      form={form.place}
      onClose={onClose}
      size="lg"
      title={event === null ? words.add : words.changeTitle({ name: event.name })}
    >
      <form
        className="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (ready) saving.mutate();
        }}
      >
        <TextInput
          label={words.name}
          data-autofocus
          required
          autoComplete="off"
          maxLength={MAX_EVENT_NAME_CHARS}
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <Times draft={draft} set={set} />
        <Limit draft={draft} set={set} />
        <What draft={draft} set={set} />
        <GuestPhotos draft={draft} set={set} wereKept={event !== null && event.guest_photo_days !== null} />
        <LanguageTicks value={draft.languages} onChange={(languages) => set({ languages })} />
        <Colour draft={draft} set={set} />
        <WordsFields draft={draft} onChange={(changed) => set({ words: changed })} />
        {event !== null && <Reason value={reason} onChange={(text) => form.set({ reason: text })} />}
        {saving.notes}
        <ErrorLine error={saving.error} />
        <div className="dialog-actions">
          <CloseButton>{common.actions.cancel}</CloseButton>
          <Submit
            obstacle={
              ready ? null : request === null ? 'incomplete' : hasChanged ? 'needsReason' : 'unchanged'
            }
            loading={saving.isPending}
          >
            {event === null ? words.create : common.actions.save}
          </Submit>
        </div>
      </form>
    </Dialog>
  );
}

/** Name of the draft. */
export const eventDraft = (id: string | undefined): string => `event ${id ?? 'new'}`;

/** A value of the wire as the form shows it. */
function useShownValue(): (field: string, value: unknown) => string | undefined {
  const words = useWords('events');
  const { language } = useLanguage();
  const verifications = useEventOptions()?.verifications ?? [];
  const nameOf = useVerificationName();
  return (field, value) => {
    if (field === 'starts_at' || field === 'ends_at') return dayAndTime(value as string, language);
    if (field === 'limit.kind') return words.kinds[value as LimitKind];
    const found = verifications.find(({ verification_id }) => verification_id === value);
    return field === 'verification_id' && found !== undefined ? nameOf(found) : undefined;
  };
}

function Times({ draft, set }: { draft: EventDraft; set: Set }) {
  const words = useWords('events');
  return (
    <div className="event-pair">
      <TextInput
        type="datetime-local"
        label={words.starts}
        description={words.zone({ zone: shownZone() })}
        required
        value={draft.starts}
        onChange={({ currentTarget }) => set({ starts: currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={words.ends}
        description={words.zone({ zone: shownZone() })}
        required
        value={draft.ends}
        onChange={({ currentTarget }) => set({ ends: currentTarget.value })}
      />
    </div>
  );
}

const USUAL_PHOTO_DAYS = 7;

function GuestPhotos({
  draft: { guestPhotoDays: days },
  set,
  wereKept,
}: {
  draft: EventDraft;
  set: Set;
  wereKept: boolean;
}) {
  const words = useWords('events');
  return (
    <>
      <Switch
        label={words.guestPhotos}
        description={days === null ? words.guestPhotosWithout : words.guestPhotosHelp}
        checked={days !== null}
        onChange={({ currentTarget: { checked } }) =>
          set({ guestPhotoDays: checked ? USUAL_PHOTO_DAYS : null })
        }
      />
      {days !== null && (
        <NumberInput
          label={words.guestPhotoDays}
          className="event-photo-days"
          min={0}
          max={MAX_GUEST_PHOTO_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days}
          onChange={(value) => set({ guestPhotoDays: typeof value === 'number' ? value : 0 })}
        />
      )}
      {days === null && wereKept && <Alert color="red">{words.guestPhotosOff}</Alert>}
    </>
  );
}

/** Value of the colour field while the product's own colour is used. */
const OWN_COLOUR = '#085052';

function Colour({ draft: { colour }, set }: { draft: EventDraft; set: Set }) {
  const words = useWords('events');
  return (
    <div className="event-pair event-colour">
      <TextInput
        type="color"
        label={words.colour}
        description={words.colourHelp}
        value={colour ?? OWN_COLOUR}
        onChange={({ currentTarget }) => set({ colour: currentTarget.value })}
      />
      {colour !== null && (
        <Button variant="subtle" onClick={() => set({ colour: null })}>
          {words.colourRemove}
        </Button>
      )}
    </div>
  );
}

function Limit({ draft: { limit }, set }: { draft: EventDraft; set: Set }) {
  const words = useWords('events');
  return (
    <div className="event-pair">
      <NativeSelect
        label={words.limit}
        description={words.limitHelp}
        value={limit.kind}
        data={LIMIT_KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
        onChange={({ currentTarget }) => {
          const kind: LimitKind = LIMIT_KINDS.find((known) => known === currentTarget.value) ?? 'none';
          set({ limit: { ...limit, kind } });
        }}
      />
      {limit.kind !== 'none' && (
        <NumberInput
          label={words.times}
          description={' '}
          min={1}
          max={MAX_ENTRIES}
          clampBehavior="strict"
          allowDecimal={false}
          value={limit.max}
          onChange={(max) => set({ limit: { ...limit, max: typeof max === 'number' && max >= 1 ? max : 1 } })}
        />
      )}
    </div>
  );
}

function What({ draft, set }: { draft: EventDraft; set: Set }) {
  const words = useWords('events');
  const verifications = useEventOptions()?.verifications ?? [];
  const nameOf = useVerificationName();
  const chosen = draft.verificationId || verifications.find(({ is_default }) => is_default)?.verification_id;
  return (
    <div className="event-pair">
      <NativeSelect
        label={words.verification}
        description={' '}
        value={chosen ?? ''}
        data={verifications.map((one) => ({
          value: one.verification_id,
          label:
            one.is_default && one.label !== null
              ? words.defaultVerification({ label: one.label })
              : nameOf(one),
        }))}
        onChange={({ currentTarget }) => set({ verificationId: currentTarget.value })}
      />
      <TextInput
        label={words.group}
        description={words.groupHelp}
        autoComplete="off"
        maxLength={MAX_ID_LENGTH}
        value={draft.group}
        onChange={({ currentTarget }) => set({ group: currentTarget.value })}
      />
    </div>
  );
}
