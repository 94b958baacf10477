import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  type EventWordsByLanguage,
  type KioskLanguage,
  MAX_WORDS_CHARS,
} from '../../../../server/contract/kiosk.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { useWords } from '../shared/words.tsx';
import { type EventDraft, withWords } from './event-form.ts';

/** The organiser's own texts, one language at a time. */
export function WordsFields({
  draft,
  onChange,
}: {
  draft: EventDraft;
  onChange: (words: EventWordsByLanguage) => void;
}) {
  const words = useWords('events');
  const [chosen, setChosen] = useState<KioskLanguage>(draft.languages[0] ?? 'en');
  const language = draft.languages.includes(chosen) ? chosen : draft.languages[0];
  if (language === undefined) return null;
  const parts = [
    ['welcome', words.welcome],
    ['passed', words.passed],
    ['ask_staff', words.askStaff],
  ] as const;
  return (
    <fieldset className="event-words">
      <legend>{words.words}</legend>
      <p className="quiet">{words.wordsHelp}</p>
      <SegmentedControl
        aria-label={words.languages}
        value={language}
        data={draft.languages.map((one) => ({ value: one, label: LANGUAGE_NAMES[one] }))}
        onChange={(next) => setChosen(draft.languages.find((one) => one === next) ?? language)}
      />
      {parts.map(([part, label]) => (
        <TextInput
          key={part}
          lang={language}
          label={label}
          autoComplete="off"
          maxLength={MAX_WORDS_CHARS[part]}
          value={draft.words[language]?.[part] ?? ''}
          onChange={({ currentTarget }) =>
            onChange(withWords(draft.words, language, part, currentTarget.value))
          }
        />
      ))}
    </fieldset>
  );
}
