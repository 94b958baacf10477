/** Settings of the installation, one section at a time. The address names the section. */
import { Tabs, NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import type { ComponentType } from 'react';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';
import { LANGUAGES, LANGUAGE_NAMES, type Language } from '../../../i18n/language.ts';
import { useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { PageHeader } from '../shared/states.tsx';
import { useCommonWords, useWords, useLanguage } from '../shared/words.tsx';
import { SCHEMES } from '../theme/theme.ts';
import { Backups } from './backups/Backups.tsx';
import { Venue } from './Venue.tsx';
import { Languages } from './Languages.tsx';
import { Maintenance } from './maintenance/Maintenance.tsx';
import { Matching } from './Matching.tsx';
import { Network } from './network/Network.tsx';
import { Privacy } from './Privacy.tsx';
import { cleanUpQuery } from './CleanUp.tsx';
import { Retention, retentionQuery } from './Retention.tsx';
import { SingleSignOn } from './SingleSignOn.tsx';
import { Sms } from './Sms.tsx';
import { System } from './System.tsx';
import { Updates } from './Updates.tsx';
import { Panel } from './Section.tsx';
import './settings.css';

const SECTIONS = {
  retention: Retention,
  privacy: Privacy,
  matching: Matching,
  sms: Sms,
  oidc: SingleSignOn,
  network: Network,
  maintenance: Maintenance,
  backups: Backups,
  updates: Updates,
  venue: Venue,
  languages: Languages,
  system: System,
  appearance: Appearance,
} as const satisfies Record<string, ComponentType>;
type SectionId = keyof typeof SECTIONS;
const IDS = Object.keys(SECTIONS) as SectionId[];

export function prefetch({ client }: Visit): void {
  readAhead(client.query(retentionQuery));
  readAhead(client.query(cleanUpQuery));
}

export function Page() {
  const words = useWords('settings');
  const { pages } = useCommonWords();
  const { section } = useSearch();
  const change = useChangeSearch();
  const shown = IDS.find((id) => id === section) ?? 'retention';
  const Section = SECTIONS[shown];
  return (
    <>
      <PageHeader title={pages.settings} text={words.text} />
      <Tabs
        value={shown}
        keepMounted={false}
        onChange={(next) => change({ section: next ?? undefined }, { replace: true })}
      >
        <Tabs.List aria-label={words.sections.label} className="settings__tabs">
          {IDS.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {words.sections[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {IDS.map((id) => (
          <Tabs.Panel key={id} value={id} className="settings__panel">
            {id === shown && <Section />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function Appearance() {
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
