import { Checkbox, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { LanguageSettings } from '../../../../server/contract/console/settings.ts';
import { isLanguage, LANGUAGES } from '../../../../server/contract/languages.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { call } from '../shared/client/api.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { PanelForm, WithSetting } from './Section.tsx';

export function Languages() {
  return (
    <WithSetting name={['languages']} read={(signal) => call(settingsRoutes.languages, { signal })}>
      {(settings, put) => <LanguagesForm stored={settings} put={put} />}
    </WithSetting>
  );
}

function LanguagesForm({ stored, put }: { stored: LanguageSettings; put: (next: LanguageSettings) => void }) {
  const { languages: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const [{ offered, default_language: chosenDefault }, setDraft] = useState(stored);
  const saving = useMutation({
    mutationFn: () =>
      call(settingsRoutes.changeLanguages, {
        body: {
          offered,
          default_language: chosenDefault,
        } satisfies LanguageSettings,
      }),
    onSuccess: (next) => {
      put(next);
      // Events may now offer other languages.
      void client.invalidateQueries({ queryKey: ['events'] });
    },
  });
  const isNoneLeft = offered.length === 0;
  const isDefaultMissing = !isNoneLeft && !offered.includes(chosenDefault);
  const isChanged =
    chosenDefault !== stored.default_language || offered.join(' ') !== stored.offered.join(' ');
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      said={isChanged ? null : saved}
      submit={actions.save}
      disabled={!isChanged || isNoneLeft || isDefaultMissing}
    >
      <Checkbox.Group
        label={words.offered}
        value={offered}
        error={isNoneLeft && words.none}
        onChange={(ticked) =>
          // In their usual order, whatever the order of the ticks.
          setDraft((draft) => ({ ...draft, offered: LANGUAGES.filter((one) => ticked.includes(one)) }))
        }
      >
        <div className="row settings__languages">
          {LANGUAGES.map((one) => (
            <Checkbox key={one} value={one} lang={one} label={LANGUAGE_NAMES[one]} />
          ))}
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={words.defaultLanguage}
        description={words.defaultHelp}
        value={chosenDefault}
        error={isDefaultMissing && words.defaultMissing}
        data={LANGUAGES.filter((one) => one === chosenDefault || offered.includes(one)).map((one) => ({
          value: one,
          label: LANGUAGE_NAMES[one],
        }))}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) setDraft((draft) => ({ ...draft, default_language: value }));
        }}
      />
      <p className="quiet">{words.events}</p>
    </PanelForm>
  );
}
