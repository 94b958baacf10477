import { Textarea } from '@mantine/core';
import { settings } from '../../../../../server/contract/routes/console/settings.ts';
import type { NetworkSettings, WebhookHosts } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { Facts, CopyFact } from '../../shared/lists/DetailDrawer.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useSaving } from '../../shared/forms/use-saving.tsx';
import { useWords } from '../../shared/words.tsx';
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
            put={({ hosts, version }) => {
              put({ ...network, webhook_hosts: hosts, version });
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
        <CopyFact term={words.service} value={network.base_url} />
        <CopyFact term={words.console} value={network.console_url} />
      </Facts>
    </Panel>
  );
}

function Hosts({ network, put }: { network: NetworkSettings; put: (next: WebhookHosts) => void }) {
  const { network: words } = useWords('settings');
  const form = useForm({
    name: 'webhook hosts',
    read: { text: network.webhook_hosts.join('\n') },
    version: network.version,
  });
  const { text } = form.values;
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  const saving = useSaving(form, {
    send: (_changes, version) => call(settings.changeWebhookHosts, { body: { hosts, version } }),
    onSaved: put,
    labels: { hosts: words.hosts },
    take: (_field, value) => ({ text: (value as string[]).join('\n') }),
  });
  return (
    <PanelForm title={words.hostsTitle} text={words.hostsText} sending={saving} form={form}>
      <Textarea
        label={words.hosts}
        description={words.hostsHelp}
        rows={4}
        spellCheck={false}
        {...form.text('text')}
      />
      {network.webhook_hosts_of_environment.length > 0 && (
        <p className="quiet">
          {words.environment({ hosts: network.webhook_hosts_of_environment.join(', ') })}
        </p>
      )}
    </PanelForm>
  );
}
