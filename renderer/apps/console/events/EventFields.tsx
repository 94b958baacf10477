/** The fields of an event's form. */
import { Alert, Button, NativeSelect, NumberInput, Switch, TextInput, Checkbox } from '@mantine/core';
import { LIMIT_KINDS, type LimitKind } from '../../../../server/contract/console/common.ts';
import {
  FACES,
  MAX_ENTRIES,
  MAX_FACES_DAYS,
  MAX_GUEST_PHOTO_DAYS,
} from '../../../../server/contract/console/events.ts';
import { MAX_ID_LENGTH } from '../../../../server/contract/text-bounds.ts';
import { Cost } from '../shared/Cost.tsx';
import { shownZone } from '../shared/time/field.ts';
import { useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import type { EventDraft } from './event-form.ts';
import { useEventOptions } from './EventFacts.tsx';
import { KIOSK_LANGUAGES, type KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';

type Fields = { draft: EventDraft; set: (change: Partial<EventDraft>) => void };

export function Times({ draft, set }: Fields) {
  const words = useWords('events');
  return (
    <div className="event-pair">
      {(['starts', 'ends'] as const).map((field) => (
        <TextInput
          key={field}
          type="datetime-local"
          label={words[field]}
          description={words.zone({ zone: shownZone() })}
          required
          value={draft[field]}
          onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
        />
      ))}
    </div>
  );
}

const USUAL_PHOTO_DAYS = 7;

export function GuestPhotos({
  draft: { guestPhotoDays: days },
  set,
  wereKept,
}: Fields & { wereKept: boolean }) {
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
      <Cost of="photos" />
      {days === null && wereKept && <Alert color="red">{words.guestPhotosOff}</Alert>}
    </>
  );
}

export function FacesFor({ draft: { faces, facesDays }, set }: Fields) {
  const words = useWords('events');
  return (
    <div className="event-pair">
      <NativeSelect
        label={words.faces}
        description={words.facesHelp[faces]}
        value={faces}
        data={FACES.map((value) => ({ value, label: words.facesFor[value] }))}
        onChange={({ currentTarget }) =>
          set({ faces: FACES.find((known) => known === currentTarget.value) ?? faces })
        }
      />
      {faces !== 'organiser' && (
        <NumberInput
          label={words.facesDays}
          min={0}
          max={MAX_FACES_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          value={facesDays}
          onChange={(value) => set({ facesDays: typeof value === 'number' ? value : 0 })}
        />
      )}
    </div>
  );
}

export function FastLane({ draft: { fastLane }, set }: Fields) {
  const words = useWords('events');
  return (
    <>
      <Switch
        label={words.fastLane}
        description={words.fastLaneHelp}
        checked={fastLane}
        onChange={({ currentTarget }) => set({ fastLane: currentTarget.checked })}
      />
      <Cost of="fastLane" />
    </>
  );
}

/** Value of the colour field while the product's own colour is used. */
const OWN_COLOUR = '#085052';

export function Colour({ draft: { colour }, set }: Fields) {
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

export function Limit({ draft: { limit }, set }: Fields) {
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

export function VerificationAndGroup({ draft, set }: Fields) {
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

/**
 * The event's own languages. One that the installation does not offer is shown but cannot be ticked, because it may be
 * offered again.
 */
export function LanguageTicks({
  value,
  onChange,
}: {
  value: readonly KioskLanguage[];
  onChange: (languages: readonly KioskLanguage[]) => void;
}) {
  const words = useWords('events');
  const offered = useEventOptions()?.languages ?? KIOSK_LANGUAGES;
  const others = KIOSK_LANGUAGES.filter((language) => !offered.includes(language));
  const names = others.map((language) => LANGUAGE_NAMES[language]).join(', ');
  return (
    <Checkbox.Group
      label={words.languages}
      description={others.length > 0 && words.notOffered({ names })}
      value={[...value]}
      onChange={(chosen) => onChange(KIOSK_LANGUAGES.filter((language) => chosen.includes(language)))}
    >
      <div className="row event-languages">
        {KIOSK_LANGUAGES.map((language) => (
          <Checkbox
            key={language}
            value={language}
            label={LANGUAGE_NAMES[language]}
            disabled={others.includes(language)}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
