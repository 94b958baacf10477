import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { settings as settingsRoutes } from '../../../../server/contract/routes/console/settings.ts';
import {
  SMS_SENDERS,
  type SmsChange,
  type SmsSettings,
} from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { Icon } from '../shared/icons.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
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
  const { sms: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const [sender, setSender] = useState(settings.sender);
  const [secret, setSecret] = useState('');
  const [sid, setSid] = useState(settings.account_sid ?? '');
  const [from, setFrom] = useState(settings.from ?? '');
  const isFixed = settings.source === 'environment';
  const isKept = sender === settings.sender;
  const saving = useMutation({
    mutationFn: () => call(settingsRoutes.changeSms, { body: changeOf(sender, { secret, sid, from }) }),
    onSuccess: (next) => {
      setSecret('');
      put(next);
    },
  });
  const secretHelp = (kept: string) => (isKept && sender !== 'operator' ? kept : undefined);
  return (
    <PanelForm
      title={words.title}
      text={words.text}
      sending={saving}
      said={saved}
      submit={isFixed ? null : actions.save}
    >
      {isFixed && (
        <p className="note" data-tone="look">
          <Icon name="look" />
          <span>{words.environment}</span>
        </p>
      )}
      <NativeSelect
        label={words.sender}
        disabled={isFixed}
        value={sender}
        data={SMS_SENDERS.map((value) => ({ value, label: words.senders[value] }))}
        onChange={({ currentTarget }) => setSender(currentTarget.value as SmsSettings['sender'])}
      />
      {!isFixed && sender === 'http' && (
        <PasswordInput
          label={words.url}
          description={`${words.urlHelp} ${secretHelp(words.urlKept({ host: settings.gateway_host ?? '' })) ?? ''}`}
          autoComplete="off"
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
      {!isFixed && sender === 'twilio' && (
        <>
          <TextInput
            label={words.accountSid}
            autoComplete="off"
            value={sid}
            onChange={({ currentTarget }) => setSid(currentTarget.value)}
          />
          <PasswordInput
            label={words.authToken}
            description={secretHelp(words.kept)}
            autoComplete="off"
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
          />
          <TextInput
            label={words.from}
            autoComplete="off"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </>
      )}
    </PanelForm>
  );
}

/** A secret that was not typed stays unchanged. */
function changeOf(
  sender: SmsSettings['sender'],
  { secret, sid, from }: { secret: string; sid: string; from: string },
): SmsChange {
  switch (sender) {
    case 'operator':
      return { sender };
    case 'http':
      return { sender, ...(secret !== '' && { url: secret.trim() }) };
    case 'twilio':
      return {
        sender,
        ...(sid !== '' && { account_sid: sid.trim() }),
        ...(secret !== '' && { auth_token: secret.trim() }),
        ...(from !== '' && { from: from.trim() }),
      };
  }
}

function SmsTest() {
  const { sms: words } = useWords('settings');
  const [number, setNumber] = useState('');
  const testing = useMutation({
    mutationFn: () => call(settingsRoutes.testSms, { body: { number: number.trim() } }),
  });
  return (
    <PanelForm
      title={words.test}
      text={words.testHelp}
      sending={testing}
      said={words.sent}
      submit={words.sendTest}
      variant="default"
      disabled={number.trim() === ''}
    >
      <TextInput
        label={words.testNumber}
        type="tel"
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
    </PanelForm>
  );
}
