import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { events } from '../../../../server/contract/routes/console/events.ts';
import {
  type EventRecord,
  type Faces,
  MAX_EVENT_NAME_CHARS,
} from '../../../../server/contract/console/events.ts';
import type { LimitKind } from '../../../../server/contract/console/common.ts';
import { serverNowMs } from '../shared/time/server-time.ts';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { CloseButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { dayAndTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { BadgeFields } from './BadgeFields.tsx';
import {
  Colour,
  FacesFor,
  FastLane,
  GuestPhotos,
  LanguageTicks,
  Limit,
  Times,
  VerificationAndGroup,
} from './EventFields.tsx';
import { draftOf, type EventDraft, newDraft, takeValue, toChange, toRequest } from './event-form.ts';
import { useVerificationName } from '../verifications/names.ts';
import { useEventOptions } from './EventFacts.tsx';
import { WordsFields } from './WordsFields.tsx';
import { Submit, Form } from '../shared/forms/Submit.tsx';

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
  const set = (changed: Partial<EventDraft>) => form.set(changed);
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
      fast_lane: words.fastLane,
      badge: words.badgeTemplate,
      badge_width_mm: words.badgeWidth,
      badge_height_mm: words.badgeHeight,
      faces: words.faces,
      faces_days: words.facesDays,
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
      <Form onSubmit={() => ready && saving.mutate()}>
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
        <VerificationAndGroup draft={draft} set={set} />
        <FacesFor draft={draft} set={set} />
        <GuestPhotos draft={draft} set={set} wereKept={event !== null && event.guest_photo_days !== null} />
        <FastLane draft={draft} set={set} />
        <BadgeFields draft={draft} set={set} />
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
      </Form>
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
    if (field === 'faces') return words.facesFor[value as Faces];
    const found = verifications.find(({ verification_id }) => verification_id === value);
    return field === 'verification_id' && found !== undefined ? nameOf(found) : undefined;
  };
}
