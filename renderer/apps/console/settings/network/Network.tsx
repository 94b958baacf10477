import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { settings } from '../../../../../server/contract/routes/console/settings.ts';
import type { NetworkSettings, WebhookHosts } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { Copyable } from '../../shared/copy.tsx';
import { Fact, Facts } from '../../shared/lists/DetailDrawer.tsx';
import { useCommonWords, useWords } from '../../shared/words.tsx';
import { Lan } from './Lan.tsx';
import { Limit } from '../Limit.tsx';
import { Panel, PanelForm, WithSetting } from '../Section.tsx';

export function Network() {
  return (
    <WithSetting name={['network']} read={(signal) => call(settings.network, { signal })}>
      {(network, put) => (
        <>
          <Reached network={network} />
          <Lan />
          <Limit name="sessions_per_hour" />
          <Hosts
            network={network}
            put={({ hosts }) => {
              put({ ...network, webhook_hosts: hosts });
            }}
          />
        </>
      )}
    </WithSetting>
  );
}

function Reached({ network }: { network: NetworkSettings }) {
  const { network: words } = useWords('settings');
  return (
    <Panel title={words.title} text={network.is_loopback ? words.loopback : words.open}>
      <Facts>
        <Fact term={words.service}>
          <Copyable value={network.base_url} label={words.service} />
        </Fact>
        <Fact term={words.console}>
          <Copyable value={network.console_url} label={words.console} />
        </Fact>
      </Facts>
    </Panel>
  );
}

function Hosts({ network, put }: { network: NetworkSettings; put: (next: WebhookHosts) => void }) {
  const { network: words, saved } = useWords('settings');
  const { actions } = useCommonWords();
  const [text, setText] = useState(network.webhook_hosts.join('\n'));
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  const saving = useMutation({
    mutationFn: () => call(settings.changeWebhookHosts, { body: { hosts } }),
    onSuccess: (next) => {
      setText(next.hosts.join('\n'));
      put(next);
    },
  });
  return (
    <PanelForm
      title={words.hostsTitle}
      text={words.hostsText}
      sending={saving}
      said={saved}
      submit={actions.save}
    >
      <Textarea
        label={words.hosts}
        description={words.hostsHelp}
        rows={4}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {network.webhook_hosts_of_environment.length > 0 && (
        <p className="quiet">
          {words.environment({ hosts: network.webhook_hosts_of_environment.join(', ') })}
        </p>
      )}
    </PanelForm>
  );
}
