import { Checkbox, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { LanguageSettings } from '../../../../server/contract/console/settings.ts';
import { isLanguage, LANGUAGES } from '../../../../server/contract/languages.ts';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { call } from '../shared/client/api.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useWords } from '../shared/words.tsx';
import { PanelForm, WithSetting } from './Section.tsx';

export function Languages() {
  return (
    <WithSetting name={['languages']} read={(signal) => call(settingsRoutes.languages, { signal })}>
      {(settings, put) => <LanguagesForm stored={settings} put={put} />}
    </WithSetting>
  );
}

function LanguagesForm({
  stored: { version, ...stored },
  put,
}: {
  stored: LanguageSettings;
  put: (next: LanguageSettings) => void;
}) {
  const { languages: words } = useWords('settings');
  const client = useQueryClient();
  const form = useForm({ name: 'languages', read: stored, version });
  const { offered, default_language: chosenDefault } = form.values;
  const saving = useSaving(form, {
    send: (changes, read) => call(settingsRoutes.changeLanguages, { body: { ...changes, version: read } }),
    labels: { offered: words.offered, default_language: words.defaultLanguage },
    show: (_field, value) =>
      [value]
        .flat()
        .map((each) => (typeof each === 'string' && isLanguage(each) ? LANGUAGE_NAMES[each] : ''))
        .join(', '),
    onSaved: (next) => {
      put(next);
      // Events may now offer other languages.
      void client.invalidateQueries({ queryKey: ['events'] });
    },
  });
  const isNoneLeft = offered.length === 0;
  const isDefaultMissing = !isNoneLeft && !offered.includes(chosenDefault);
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      form={form}
      obstacle={isNoneLeft || isDefaultMissing ? 'incomplete' : null}
    >
      <Checkbox.Group
        label={words.offered}
        value={offered}
        error={isNoneLeft && words.none}
        onChange={(ticked) =>
          // In their usual order, whatever the order of the ticks.
          form.set({ offered: LANGUAGES.filter((one) => ticked.includes(one)) })
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
          if (isLanguage(value)) form.set({ default_language: value });
        }}
      />
      <p className="quiet">{words.events}</p>
    </PanelForm>
  );
}
