import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import {
  SMS_SENDERS,
  type SmsChange,
  type SmsSettings,
} from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { Cost } from '../shared/Cost.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { Note } from '../shared/states.tsx';
import { Limit } from './Limit.tsx';
import { PanelForm, WithSetting } from './Section.tsx';

export function Sms() {
  return (
    <WithSetting name={['sms']} read={(signal) => call(settingsRoutes.sms, { signal })}>
      {(settings, put) => (
        <>
          <SmsForm settings={settings} put={put} />
          {settings.sender !== 'operator' && <SmsTest />}
          <Limit name="own_codes_per_day" />
        </>
      )}
    </WithSetting>
  );
}

function SmsForm({ settings, put }: { settings: SmsSettings; put: (next: SmsSettings) => void }) {
  const { sms: words } = useWords('settings');
  const { forms } = useCommonWords();
  const form = useForm({
    name: 'sms',
    read: {
      sender: settings.sender,
      account_sid: settings.account_sid ?? '',
      from: settings.from ?? '',
      secret: '',
    },
    version: settings.version,
    secret: SECRET,
  });
  const { sender } = form.values;
  const isFixed = settings.source === 'environment';
  const isKept = sender === settings.sender;
  const saving = useSaving(form, {
    send: (changes, version) =>
      call(settingsRoutes.changeSms, { body: { ...changeOf(sender, changes), version } }),
    onSaved: put,
    labels: {
      sender: words.sender,
      account_sid: words.accountSid,
      from: words.from,
      secret: sender === 'http' ? words.url : words.authToken,
    },
    show: (field, value) => {
      if (field === 'secret') return forms.hidden;
      return field === 'sender' ? words.senders[value as SmsSettings['sender']] : undefined;
    },
    // A secret is never sent back: theirs is kept by forgetting what was typed.
    take: (field, value, values, side) => {
      if (field !== 'secret') return { [field]: value ?? '' };
      return { secret: side === 'theirs' ? '' : values.secret };
    },
  });
  const secretHelp = (kept: string) => (isKept && sender !== 'operator' ? kept : undefined);
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      {...(isFixed && { submit: null })}
      form={form}
    >
      {isFixed && <Note>{words.environment}</Note>}
      <NativeSelect
        label={words.sender}
        disabled={isFixed}
        value={sender}
        data={SMS_SENDERS.map((value) => ({ value, label: words.senders[value] }))}
        onChange={({ currentTarget }) => form.set({ sender: currentTarget.value as SmsSettings['sender'] })}
      />
      {sender !== 'operator' && <Cost of="sms" />}
      {!isFixed && sender === 'http' && (
        <PasswordInput
          label={words.url}
          description={`${words.urlHelp} ${secretHelp(words.urlKept({ host: settings.gateway_host ?? '' })) ?? ''}`}
          autoComplete="off"
          {...form.text('secret')}
        />
      )}
      {!isFixed && sender === 'twilio' && (
        <>
          <TextInput label={words.accountSid} autoComplete="off" {...form.text('account_sid')} />
          <PasswordInput
            label={words.authToken}
            description={secretHelp(words.kept)}
            autoComplete="off"
            {...form.text('secret')}
          />
          <TextInput label={words.from} autoComplete="off" {...form.text('from')} />
        </>
      )}
    </PanelForm>
  );
}

const SECRET = ['secret'] as const;

/** A secret that was not typed stays unchanged. */
function changeOf(
  sender: SmsSettings['sender'],
  {
    sender: next,
    secret,
    account_sid: sid,
    from,
  }: Partial<Record<'sender' | 'secret' | 'account_sid' | 'from', string>>,
): SmsChange {
  const choice = next === undefined ? {} : { sender };
  switch (sender) {
    case 'operator':
      return choice;
    case 'http':
      return { ...choice, ...(secret && { url: secret.trim() }) };
    case 'twilio':
      return {
        ...choice,
        ...(sid && { account_sid: sid.trim() }),
        ...(secret && { auth_token: secret.trim() }),
        ...(from && { from: from.trim() }),
      };
  }
}

const NO_NUMBER = { number: '' };

function SmsTest() {
  const { sms: words } = useWords('settings');
  const form = useForm({ name: 'test message', read: NO_NUMBER, asks: false });
  const { number } = form.values;
  const testing = useMutation({
    mutationFn: () => call(settingsRoutes.testSms, { body: { number: number.trim() } }),
    onSuccess: form.saved,
  });
  return (
    <PanelForm
      title={words.test}
      text={words.testHelp}
      sending={testing}
      said={words.sent}
      submit={words.sendTest}
      variant="default"
      obstacle={number.trim() === '' ? 'incomplete' : null}
    >
      <TextInput label={words.testNumber} type="tel" {...form.text('number')} />
    </PanelForm>
  );
}
