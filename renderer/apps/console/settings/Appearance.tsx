import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../../i18n/language.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';

const SCHEMES = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[];

export function Appearance() {
  const { appearance: words } = useWords('settings');
  const { menu } = useCommonWords();
  const { language, choose } = useLanguage();
  // Pausing transitions would need a <style> element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <Panel title={words.title} text={words.text}>
      <div className="stack form">
        <NativeSelect
          label={words.scheme}
          value={colorScheme}
          data={SCHEMES.map((value) => ({ value, label: menu[value] }))}
          onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
        />
        <NativeSelect
          label={words.language}
          value={language}
          data={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
        />
      </div>
    </Panel>
  );
}
