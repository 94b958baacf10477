import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../../i18n/language.ts';
import { UnreachableBanner } from './Banners.tsx';
import { Icon } from '../shared/icons.tsx';
import { useCommonWords, useLanguage } from '../shared/words.tsx';

/** The page before the console, with a single panel in the middle. */
export function Entrance({
  title,
  wide = false,
  children,
}: {
  title: string;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="entrance">
      <UnreachableBanner />
      <main className="entrance__panel" data-wide={wide}>
        <p className="brand">
          <Icon name="door" />
          Gatehouse
        </p>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className="entrance__foot">
        <LanguageSelect />
      </footer>
    </div>
  );
}

function LanguageSelect() {
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
