import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Icon } from '../shared/icons.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { useWords } from '../shared/words.tsx';
import { EditKiosk, kioskDraft } from './EditKiosk.tsx';
import { KioskState } from './KioskState.tsx';
import { NewCode } from './PairKiosk.tsx';
import { dropKiosk } from './use-door.ts';

type Asked = { kiosk: KioskRecord; what: 'reset' | 'edit' | 'code' | 'revoke' };

type PanelProps = { kiosks: readonly KioskRecord[]; readAt: number; onPair: () => void };

/** The company’s kiosks and their state, for staff at the door. */
export function KiosksPanel({ kiosks, readAt, onPair }: PanelProps) {
  const { kiosks: words } = useWords('door');
  const hasDraft = useHasDraft();
  const [asked, setAsked] = useState<Asked | null>(() => {
    const kiosk = kiosks.find((each) => hasDraft(kioskDraft(each)));
    return kiosk === undefined ? null : { kiosk, what: 'edit' };
  });
  return (
    <section className="panel" aria-labelledby="door-kiosks">
      <div className="panel__head">
        <h2 id="door-kiosks">{words.title}</h2>
        {kiosks.length > 0 && (
          <Button size="compact-sm" variant="default" onClick={onPair}>
            {words.pair}
          </Button>
        )}
      </div>
      {kiosks.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <ul className="door-list">
          {kiosks.map((kiosk) => (
            <li key={kiosk.kiosk_id} className="door-list__row">
              <div>
                <strong>{kiosk.name}</strong> <KioskState kiosk={kiosk} readAt={readAt} />
                <p className="quiet">
                  {kiosk.event_name ?? words.noEvent}
                  {kiosk.is_way_out && ` · ${words.exit}`}
                  {kiosk.state === 'away' && (
                    <>
                      {' · '}
                      <TimeSentence words={words.seen} at={kiosk.last_seen_at} />
                    </>
                  )}
                </p>
              </div>
              <KioskMenu kiosk={kiosk} onAsk={(what) => setAsked({ kiosk, what })} />
            </li>
          ))}
        </ul>
      )}
      {asked !== null && <Ask asked={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

function KioskMenu({ kiosk, onAsk }: { kiosk: KioskRecord; onAsk: (what: Asked['what']) => void }) {
  const { kiosks: words } = useWords('door');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={words.menu({ name: kiosk.name })}>
          <Icon name="menu" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {kiosk.paired_at !== null && <Menu.Item onClick={() => onAsk('reset')}>{words.reset}</Menu.Item>}
        <Menu.Item onClick={() => onAsk('edit')}>{words.edit}</Menu.Item>
        <Menu.Item onClick={() => onAsk('code')}>{words.newCode}</Menu.Item>
        <Menu.Item c="var(--refused)" onClick={() => onAsk('revoke')}>
          {words.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Ask({ asked: { kiosk, what }, onClose }: { asked: Asked; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const call = useScopedCall();
  const client = useQueryClient();
  if (what === 'edit') return <EditKiosk kiosk={kiosk} onClose={onClose} />;
  if (what === 'code') return <NewCode kiosk={kiosk} onClose={onClose} />;
  const params = { kiosk_id: kiosk.kiosk_id };
  return (
    <ConfirmDialog
      title={words[`${what}Title`]({ name: kiosk.name })}
      confirm={words[what]}
      destructive={what === 'revoke'}
      withReason={what === 'revoke'}
      act={async (reason) => {
        if (what === 'reset') await call(kiosksRoutes.command, { params, body: { kind: 'reset' } });
        else {
          await call(kiosksRoutes.revoke, { params, body: { reason } });
          dropKiosk(client, kiosk.kiosk_id);
        }
      }}
      onClose={onClose}
    >
      {words[`${what}Text`]}
    </ConfirmDialog>
  );
}
