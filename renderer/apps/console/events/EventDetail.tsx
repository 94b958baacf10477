import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { Icon } from '../shared/icons.tsx';
import { putRow } from '../shared/client/put-row.ts';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useMay } from '../shared/client/session.ts';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { EventState, LimitInWords, useEventOptions } from './EventFacts.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { eventDraft, EventForm } from './EventForm.tsx';
import { EventImage } from './EventImage.tsx';

export function EventDetail({ event }: { event: EventRecord }) {
  const words = useWords('events');
  const client = useQueryClient();
  const mayChange = useMay('admin');
  const search = scopeSearch(useSearch());
  const hasDraft = useHasDraft();
  const isSealed = event.faces === 'ticket';
  const [changing, setChanging] = useState(() => hasDraft(eventDraft(event.event_id)));
  const show = (changed: EventRecord) => putRow(client, 'events', 'event_id', changed);
  const labels = { welcome: words.welcome, passed: words.passed, ask_staff: words.askStaff };
  const ownWords = event.languages.flatMap((language) =>
    (['welcome', 'passed', 'ask_staff'] as const).flatMap((part) => {
      const text = event.words[language]?.[part];
      return text === undefined ? [] : [{ language, text, label: labels[part] }];
    }),
  );
  return (
    <div className="stack">
      <div className="row">
        <Button
          renderRoot={(props) => <Link to={`/events/${event.event_id}/report`} search={search} {...props} />}
          leftSection={<Icon name="usage" />}
        >
          {words.report}
        </Button>
        <Button
          renderRoot={(props) => <Link to="/door" search={{ ...search, event: event.event_id }} {...props} />}
          variant="default"
          leftSection={<Icon name="door" />}
        >
          {words.toDoor}
        </Button>
        {mayChange && (
          <>
            <Button
              renderRoot={(props) => (
                <Link to={`/events/${event.event_id}/tickets`} search={search} {...props} />
              )}
              variant="default"
            >
              {words.tickets}
            </Button>
            <Button variant="default" onClick={() => setChanging(true)}>
              {words.change}
            </Button>
          </>
        )}
      </div>
      <Facts>
        <Fact term={words.state}>
          <EventState state={event.state} />
        </Fact>
        <TimeFact term={words.starts} at={event.starts_at} exact />
        <TimeFact term={words.ends} at={event.ends_at} exact />
        <Fact term={words.limit}>
          <LimitInWords limit={event.limit} />
        </Fact>
        <Fact term={words.kiosks}>{event.kiosks === 0 ? words.noKiosks : event.kiosks}</Fact>
        <Fact term={words.languages}>
          {event.kiosk_languages.map((language) => LANGUAGE_NAMES[language]).join(', ')}
        </Fact>
        <Fact term={words.facesFact}>
          {event.faces_until === null ? (
            words.facesOrganiser
          ) : (
            <TimeSentence
              words={isSealed ? words.facesTicket : words.facesUntil}
              at={event.faces_until}
              exact
            />
          )}
        </Fact>
        {isSealed && (
          <Fact term={words.ticketCodes}>
            {event.keeps_codes ? words.ticketCodesKept : words.ticketCodesHashed}
          </Fact>
        )}
        {event.guest_photo_days !== null && (
          <Fact term={words.guestPhotosFact}>{words.guestPhotosKept({ days: event.guest_photo_days })}</Fact>
        )}
        {event.badge !== null && (
          <Fact term={words.badges}>
            {words.badgeSize({ width: event.badge_width_mm, height: event.badge_height_mm })}
          </Fact>
        )}
        {event.fast_lane && <Fact term={words.fastLaneFact}>{words.fastLaneOn}</Fact>}
        {ownWords.map(({ language, text, label }) => (
          <Fact key={`${language} ${label}`} term={`${label} (${LANGUAGE_NAMES[language]})`}>
            <span lang={language}>{text}</span>
          </Fact>
        ))}
        {mayChange && (
          <Fact term={words.verification}>
            <VerificationName event={event} />
          </Fact>
        )}
        <CopyFact term={words.group} value={event.group} />
      </Facts>
      <EventImage kind="logo" event={event} mayChange={mayChange} onChanged={show} />
      <EventImage kind="picture" event={event} mayChange={mayChange} onChanged={show} />
      {changing && (
        <EventForm
          event={event}
          onClose={() => setChanging(false)}
          onSaved={(changed) => {
            setChanging(false);
            show(changed);
          }}
        />
      )}
    </div>
  );
}

/**
 * The name of the event's verification as a link; renders nothing without one. For admins, who may list verifications.
 */
function VerificationName({ event }: { event: EventRecord }) {
  const search = scopeSearch(useSearch());
  const id = event.verification_id;
  const nameOf = useVerificationName();
  const found = useEventOptions()?.verifications.find((one) => one.verification_id === id);
  if (found === undefined) return null;
  return (
    <Link to="/verifications" search={{ ...search, open: id }} className="text-link">
      {nameOf(found)}
    </Link>
  );
}
