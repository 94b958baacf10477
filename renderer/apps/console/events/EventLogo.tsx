import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { LOGO_TYPES, MAX_LOGO_BYTES, type EventRecord } from '../../../../server/contract/console/events.ts';
import { fileAddress } from '../shared/api.ts';
import { useScopedCall, useScopeFilter } from '../shared/scoped.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** The picture on the kiosk's first screen. */
export function EventLogo({
  event,
  mayChange,
  onChanged,
}: {
  event: EventRecord;
  mayChange: boolean;
  onChanged: (event: EventRecord) => void;
}) {
  const words = useWords('events');
  const scope = useScopeFilter();
  const call = useScopedCall();
  const params = { event_id: event.event_id };
  const changing = useMutation({
    mutationFn: (file: File | null) =>
      file === null ? call(events.removeLogo, { params }) : call(events.changeLogo, { params, file }),
    onSuccess: onChanged,
  });
  const isTooLarge = (changing.variables?.size ?? 0) > MAX_LOGO_BYTES;
  return (
    <section className="stack" aria-label={words.logo}>
      <h2>{words.logo}</h2>
      {event.logo_id !== null && (
        <img
          className="event-logo"
          // The address changes with each picture, so that an old one is never shown.
          src={fileAddress(events.logo, {
            params,
            query: { ...scope, logo: event.logo_id },
          })}
          alt={words.logoOf({ name: event.name })}
        />
      )}
      {mayChange && (
        <>
          <p className="quiet">{words.logoHelp}</p>
          <div className="row">
            <FileButton
              accept={LOGO_TYPES.join(',')}
              onChange={(file) => {
                if (file !== null) changing.mutate(file);
              }}
            >
              {(props) => (
                <Button {...props} variant="default" loading={changing.isPending}>
                  {words.logoChoose}
                </Button>
              )}
            </FileButton>
            {event.logo_id !== null && (
              <Button variant="subtle" onClick={() => changing.mutate(null)}>
                {words.logoRemove}
              </Button>
            )}
          </div>
          {isTooLarge && changing.error !== null ? (
            <p className="error-line" role="alert">
              {words.logoTooLarge}
            </p>
          ) : (
            <ErrorLine error={changing.error} />
          )}
        </>
      )}
    </section>
  );
}
