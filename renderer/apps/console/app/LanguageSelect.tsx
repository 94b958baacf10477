import { NativeSelect } from '@mantine/core';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../../i18n/language.ts';
import { useCommonWords, useLanguage } from '../shared/words.tsx';

export function LanguageSelect() {
  const { menu } = useCommonWords();
  const { language, choose } = useLanguage();
  return (
    <NativeSelect
      size="xs"
      aria-label={menu.language}
      value={language}
      data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
    />
  );
}
