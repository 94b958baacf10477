import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { events } from '../../../../server/contract/routes/console/events.ts';
import {
  LOGO_TYPES,
  MAX_LOGO_BYTES,
  MAX_PICTURE_BYTES,
  type EventRecord,
} from '../../../../server/contract/console/events.ts';
import { fileAddress } from '../shared/client/api.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';

const IMAGES = {
  logo: { get: events.logo, put: events.changeLogo, remove: events.removeLogo, maxBytes: MAX_LOGO_BYTES },
  picture: {
    get: events.picture,
    put: events.changePicture,
    remove: events.removePicture,
    maxBytes: MAX_PICTURE_BYTES,
  },
} as const;

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
    mutationFn: (file: File) => call(put, { params, file }),
    onSuccess: onChanged,
  });
  const isTooLarge = (changing.variables?.size ?? 0) > maxBytes;
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
                if (file !== null) changing.mutate(file);
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
              act={async () => onChanged(await call(remove, { params }))}
              onClose={() => setRemoving(false)}
            >
              {words.removeText}
            </ConfirmDialog>
          )}
          {isTooLarge && changing.error !== null ? (
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
