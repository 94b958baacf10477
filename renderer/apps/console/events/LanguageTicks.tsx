/**
 * The event's own languages. One that the installation does not offer is shown but cannot be ticked, because it may be
 * offered again.
 */
import { Checkbox } from '@mantine/core';
import { KIOSK_LANGUAGES, type KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { useWords } from '../shared/words.tsx';
import { useEventOptions } from './EventFacts.tsx';

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
