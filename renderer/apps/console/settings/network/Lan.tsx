import { Button, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { settings } from '../../../../../server/contract/routes/console/settings.ts';
import type { LanChange, LanSettings } from '../../../../../server/contract/console/settings.ts';
import { Qr } from '../../../../ui/Qr.tsx';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts, CopyFact } from '../../shared/lists/DetailDrawer.tsx';
import { ErrorLine } from '../../shared/states.tsx';
import { useWords } from '../../shared/words.tsx';
import { OpenNetwork } from './OpenNetwork.tsx';
import { Panel, settingKey, WithSetting } from '../Section.tsx';

/** Whether other machines on the venue's network can reach this one, and how their owners trust its certificate. */
export function Lan() {
  return (
    <WithSetting name={['lan']} read={(signal) => call(settings.lan, { signal })}>
      {(lan, put) => <LanPanel lan={lan} put={put} />}
    </WithSetting>
  );
}

function LanPanel({ lan, put }: { lan: LanSettings; put: (next: LanSettings) => void }) {
  const { lan: words } = useWords('settings');
  const [opens, setOpens] = useState(false);
  const [asks, setAsks] = useState(false);
  const [asksOff, setAsksOff] = useState<'network' | 'console' | null>(null);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (change: LanChange) =>
      call(settings.changeLan, { body: { ...change, version: lan.version } }),
    onSuccess(next) {
      put(next);
      void client.invalidateQueries({ queryKey: ['door', 'first-steps'] });
    },
    // What somebody else has switched meanwhile is shown.
    onError: () => void client.invalidateQueries({ queryKey: settingKey('lan') }),
  });
  const askOff = (what: 'network' | 'console') => {
    setAsksOff(what);
    // Kiosks may have come or gone since the page was opened.
    void client.invalidateQueries({ queryKey: settingKey('lan') });
  };
  return (
    <Panel title={words.title} text={words.text}>
      <Switch
        label={words.isOn}
        description={lan.is_forced ? words.forced : lan.is_console_open ? undefined : words.isOnHelp}
        checked={lan.is_on}
        disabled={lan.is_forced || saving.isPending}
        onChange={({ currentTarget }) => {
          if (currentTarget.checked) setOpens(true);
          else askOff('network');
        }}
      />
      {lan.is_on && (
        <Switch
          label={words.isConsoleOpen}
          description={words.isConsoleOpenHelp}
          checked={lan.is_console_open}
          disabled={saving.isPending}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) setAsks(true);
            else askOff('console');
          }}
        />
      )}
      <ErrorLine error={saving.error} />
      {lan.failure !== null && <p role="alert">{words.failures[lan.failure]}</p>}
      {lan.trust_url !== null && <Trust lan={lan} trustUrl={lan.trust_url} />}
      {opens && <OpenNetwork onOpened={put} onClose={() => setOpens(false)} />}
      {asksOff !== null && (
        <ConfirmDialog
          title={words[`${asksOff}OffTitle`]}
          confirm={words.turnOff}
          destructive
          onClose={() => setAsksOff(null)}
          act={() =>
            saving.mutateAsync(
              asksOff === 'network' ? { is_on: false, is_console_open: false } : { is_console_open: false },
            )
          }
        >
          {asksOff === 'network' ? words.networkOffText({ kiosks: lan.kiosks }) : words.consoleOffText}
        </ConfirmDialog>
      )}
      {asks && (
        <ConfirmDialog
          title={words.openTitle}
          confirm={words.open}
          destructive
          onClose={() => setAsks(false)}
          act={() => saving.mutateAsync({ is_console_open: true })}
        >
          {words.openText}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Trust({ lan, trustUrl }: { lan: LanSettings; trustUrl: string }) {
  const { lan: words } = useWords('settings');
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <Facts>
        {lan.origins.map((origin) => (
          <CopyFact key={origin} term={words.service} value={origin} />
        ))}
        {lan.console_origin !== null && <CopyFact term={words.console} value={lan.console_origin} />}
        <CopyFact term={words.trustPage} value={trustUrl} />
        <Fact term={words.fingerprint}>
          <code className="fingerprint">{lan.fingerprint}</code>
        </Fact>
      </Facts>
      <p className="quiet">{words.trustText}</p>
      <div className="row">
        <Button variant="default" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? words.hideQr : words.showQr}
        </Button>
      </div>
      {isShown && <Qr text={trustUrl} label={words.qrLabel} />}
    </>
  );
}
