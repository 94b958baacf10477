import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { events } from '../../../../server/contract/routes/console/events.ts';
import type { Conflict } from '../../../../server/contract/console/common.ts';
import {
  LOGO_TYPES,
  MAX_LOGO_BYTES,
  MAX_PICTURE_BYTES,
  type EventRecord,
} from '../../../../server/contract/console/events.ts';
import { fileAddress } from '../shared/client/api.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { conflictOf } from '../shared/forms/use-saving.tsx';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { exactTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';

const IMAGES = {
  logo: { get: events.logo, put: events.changeLogo, remove: events.removeLogo, maxBytes: MAX_LOGO_BYTES },
  picture: {
    get: events.picture,
    put: events.changePicture,
    remove: events.removePicture,
    maxBytes: MAX_PICTURE_BYTES,
  },
} as const;

/** `version` is the event's, as it was read. A removal has no file. */
type Change = { file: File | null; version: string };

/** The logo on the kiosk's screens, or the picture behind its start screen. */
export function EventImage({
  kind,
  event,
  mayChange,
  onChanged,
}: {
  kind: keyof typeof IMAGES;
  event: EventRecord;
  mayChange: boolean;
  onChanged: (event: EventRecord) => void;
}) {
  const words = useWords('events').images[kind];
  const { chooseImage } = useWords('events');
  const { actions } = useCommonWords();
  const [removing, setRemoving] = useState(false);
  const { get, put, remove, maxBytes } = IMAGES[kind];
  const id = event[`${kind}_id`];
  const scope = useScopeFilter();
  const call = useScopedCall();
  const params = { event_id: event.event_id };
  const changing = useMutation({
    mutationFn: ({ file, version }: Change) =>
      file === null
        ? call(remove, { params, query: { version } })
        : call(put, { params, file, query: { version } }),
    onSuccess: onChanged,
    async onError(error) {
      // Shows the other image beside the choice.
      if (conflictOf(error) !== null) onChanged(await call(events.read, { params }));
    },
  });
  const conflict = conflictOf(changing.error);
  const isTooLarge = (changing.variables?.file?.size ?? 0) > maxBytes;
  return (
    <section className="stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      {id !== null && (
        <img
          className="event-logo"
          // Another address with each picture, so that an old one is never shown.
          src={fileAddress(get, { params, query: { ...scope, logo: id } })}
          alt={words.of({ name: event.name })}
        />
      )}
      {mayChange && (
        <>
          <p className="quiet">{words.help}</p>
          <div className="row">
            <FileButton
              accept={LOGO_TYPES.join(',')}
              onChange={(file) => {
                if (file !== null) changing.mutate({ file, version: event.version });
              }}
            >
              {(props) => (
                <Button {...props} variant="default" loading={changing.isPending}>
                  {chooseImage}
                </Button>
              )}
            </FileButton>
            {id !== null && (
              <Button variant="subtle" onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            )}
          </div>
          {removing && (
            <ConfirmDialog
              title={words.remove}
              confirm={actions.remove}
              destructive
              act={async () => changing.mutate({ file: null, version: event.version })}
              onClose={() => setRemoving(false)}
            >
              {words.removeText}
            </ConfirmDialog>
          )}
          {conflict !== null && (
            <ChangedMeanwhile
              conflict={conflict}
              isRemoval={changing.variables?.file === null}
              onKeep={() => changing.reset()}
              onReplace={() =>
                changing.mutate({ file: changing.variables?.file ?? null, version: conflict.version })
              }
            />
          )}
          {conflict !== null ? null : isTooLarge && changing.error !== null ? (
            <p className="error-line" role="alert">
              {words.tooLarge}
            </p>
          ) : (
            <ErrorLine error={changing.error} />
          )}
        </>
      )}
    </section>
  );
}

/** Somebody else was there first: their image is shown above, and either stays. */
function ChangedMeanwhile({
  conflict: {
    fields: [field],
  },
  isRemoval,
  onKeep,
  onReplace,
}: {
  conflict: Conflict;
  isRemoval: boolean;
  onKeep: () => void;
  onReplace: () => void;
}) {
  const { imageChange: words } = useWords('events');
  const { forms } = useCommonWords();
  const { language } = useLanguage();
  const { changed_by: who = null, changed_at: at = null } = field ?? {};
  return (
    <section className="conflict" role="alert" aria-label={forms.conflict}>
      <p>{who !== null && at !== null && forms.changedBy({ who, time: exactTime(at, language) })}</p>
      <div className="conflict__sides">
        <Button variant="default" onClick={onKeep}>
          {words.keep}
        </Button>
        <Button variant="default" onClick={onReplace}>
          {isRemoval ? words.remove : words.replace}
        </Button>
      </div>
    </section>
  );
}
