import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import type { OidcSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { setupQuery } from '../shared/client/session.ts';
import { CopyButton } from '../shared/copy.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { PanelForm, WithSetting } from './Section.tsx';

export function SingleSignOn() {
  return (
    <WithSetting name={['oidc']} read={(signal) => call(settingsRoutes.oidc, { signal })}>
      {(settings, put) => (
        <>
          <Provider settings={settings} put={put} />
          {settings.enabled && <Check />}
        </>
      )}
    </WithSetting>
  );
}

const TEXTS = [
  'label',
  'issuer',
  'client_id',
  'scope',
  'groups_claim',
  'admin_groups',
  'reviewer_groups',
  'staff_groups',
] as const;
const SECRET = ['secret'] as const;

function Provider({ settings, put }: { settings: OidcSettings; put: (next: OidcSettings) => void }) {
  const { oidc: words } = useWords('settings');
  const { forms } = useCommonWords();
  const client = useQueryClient();
  const { version, has_secret: hasSecret, ...read } = settings;
  const form = useForm({ name: 'oidc', read: { ...read, secret: '' }, version, secret: SECRET });
  const saving = useSaving(form, {
    send: (changes, known) => call(settingsRoutes.changeOidc, { body: { ...changes, version: known } }),
    onSaved(next) {
      put(next);
      void client.invalidateQueries({ queryKey: setupQuery.queryKey });
    },
    labels: { ...words.fields, enabled: words.enabled, secret: words.secret },
    show: (field) => (field === 'secret' ? forms.hidden : undefined),
    take: (field, value, values, side) => {
      if (field !== 'secret') return { [field]: value ?? '' };
      return { secret: side === 'theirs' ? '' : values.secret };
    },
  });
  const redirect = `${window.location.origin}/oidc`;
  return (
    <PanelForm title={words.title} text={words.text} sending={saving} form={form}>
      <Switch label={words.enabled} {...form.tick('enabled')} />
      <Facts>
        <Fact term={words.redirect}>
          <code>{redirect}</code> <CopyButton value={redirect} label={words.redirect} />
        </Fact>
      </Facts>
      {TEXTS.map((field) => (
        <TextInput
          key={field}
          label={words.fields[field]}
          description={words.help[field]}
          autoComplete="off"
          value={form.values[field]}
          onChange={({ currentTarget }) => form.set({ [field]: currentTarget.value })}
        />
      ))}
      <PasswordInput
        label={words.secret}
        description={hasSecret ? words.secretKept : words.secretHelp}
        autoComplete="off"
        {...form.text('secret')}
      />
    </PanelForm>
  );
}

/** Asks the provider for its description, with the settings that are stored. */
function Check() {
  const { oidc: words } = useWords('settings');
  const checking = useMutation({ mutationFn: () => call(settingsRoutes.testOidc) });
  return (
    <PanelForm
      title={words.check}
      text={words.checkText}
      sending={{ ...checking, mutate: () => checking.mutate() }}
      said={words.answers}
      submit={words.check}
      variant="default"
    >
      {null}
    </PanelForm>
  );
}
