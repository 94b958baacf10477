/** Turns a device into a kiosk: a QR code for another device, one click for this computer. */
import { Button } from '@mantine/core';
import { useMutation, type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import type { LanSettings } from '../../../../server/contract/console/settings.ts';
import type { KioskRecord, KioskWithCode } from '../../../../server/contract/console/kiosks.ts';
import { Qr } from '../../../ui/Qr.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { Copyable } from '../shared/copy.tsx';
import { Icon } from '../shared/icons.tsx';
import { useMay, useMe, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { untilNext } from '../shared/time/server-time.ts';
import { clockTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';
import { PinForm } from '../account/PinForm.tsx';
import { OpenNetwork } from '../settings/network/OpenNetwork.tsx';

export function JoinKiosk({ made: first, onClose }: { made: KioskWithCode; onClose: () => void }) {
  const { kiosks: words } = useWords('door');
  const { join } = useWords('setup');
  const call = useScopedCall();
  const [made, setMade] = useState(first);
  const state = useJoinState(made);
  const renewing = useMutation({
    mutationFn: () => call(kiosksRoutes.renewCode, { params: { kiosk_id: made.kiosk.kiosk_id } }),
    onSuccess: setMade,
  });
  const isJoined = state === 'joined';
  const isExpired = state === 'expired';
  const body = useRef<HTMLDivElement>(null);
  // What had the focus has gone or is inert.
  useEffect(
    () => body.current?.querySelector<HTMLElement>('[data-autofocus]:not([inert] *)')?.focus(),
    [state],
  );
  return (
    <Dialog onClose={onClose} title={join.title({ name: made.kiosk.name })} size="lg">
      <div className="stack" ref={body}>
        <p className="join__state" role="status" data-tone={TONES[state]}>
          {isJoined && <Icon name="check" />}
          {isExpired && <Icon name="clock" />}
          {join[state]}
        </p>
        {!isJoined && (
          <div className="join__ways">
            <div className="stack" inert={isExpired} data-expired={isExpired}>
              <Ways made={made} renewing={renewing} />
            </div>
            {isExpired && (
              <div className="state">
                <p>{join.expiredText}</p>
                <Button data-autofocus loading={renewing.isPending} onClick={() => renewing.mutate()}>
                  {join.renew}
                </Button>
                <ErrorLine error={renewing.error} />
              </div>
            )}
          </div>
        )}
        <div className="dialog-actions">
          <Button
            variant={isJoined ? 'filled' : 'default'}
            data-autofocus={isJoined ? true : undefined}
            onClick={onClose}
          >
            {words.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** `expired`: also because somebody made another code for the kiosk. */
type JoinState = 'waiting' | 'joined' | 'expired';
const TONES = { waiting: undefined, joined: 'passed', expired: 'look' } as const;

/** Whether the console is shown on the machine of the service. */
const isHere = () => ['127.0.0.1', '[::1]', 'localhost'].includes(location.hostname);

/** The server says it, because this device’s clock may be wrong. The Door page has it read again when a device joins. */
function useJoinState(made: KioskWithCode): JoinState {
  const call = useScopedCall();
  const scope = useScopeFilter();
  const kiosks = useQuery({
    // An answer from before the code was made would say that it has expired.
    queryKey: ['door', 'kiosks', scope, made.ends_at],
    queryFn: ({ signal }) => call(kiosksRoutes.list, { signal }),
    refetchInterval: () => untilNext([made.ends_at]),
  });
  return joinStateOf(
    made,
    kiosks.data?.items.find(({ kiosk_id }) => kiosk_id === made.kiosk.kiosk_id),
  );
}

type Known = Pick<KioskRecord, 'paired_at' | 'code_ends_at'>;
type Made = { ends_at: string; kiosk: Pick<KioskRecord, 'paired_at'> };

/** @param now the kiosk as the server knows it; undefined until it has answered */
export function joinStateOf({ ends_at, kiosk }: Made, now: Known | undefined): JoinState {
  if (now === undefined) return 'waiting';
  // A paired device stays paired until another one uses the code.
  if (now.paired_at !== null && now.paired_at !== kiosk.paired_at) return 'joined';
  return now.code_ends_at === ends_at ? 'waiting' : 'expired';
}

type Renewing = UseMutationResult<KioskWithCode, Error, void>;

/** The codes for another device and the button for this one. */
function Ways({ made, renewing }: { made: KioskWithCode; renewing: Renewing }) {
  const { kiosks: words, codes } = useWords('door');
  const { join } = useWords('setup');
  const { language } = useLanguage();
  const [warns, setWarns] = useState(false);
  const here = <Here made={made} />;
  if (made.is_local_only) {
    return (
      <div className="join">
        {here}
        <section>
          <h3>{join.other}</h3>
          <NotReachable renewing={renewing} />
        </section>
      </div>
    );
  }
  return (
    <>
      <div className="join">
        {made.trust !== null && warns ? (
          <Trust trust={made.trust} />
        ) : (
          <section>
            <h3>{join.other}</h3>
            <p>{join.otherText}</p>
            <Qr text={made.pairing_url} label={join.qr} />
            <Copyable value={made.kiosk_url} label={words.address} />
            <p className="pairing-code" aria-label={words.code} tabIndex={-1} data-autofocus>
              {made.code}
            </p>
            <p className="quiet">{codes.until({ time: clockTime(made.ends_at, language) })}</p>
          </section>
        )}
        {here}
      </div>
      {made.trust !== null && (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setWarns(!warns)}>
            {warns ? join.trustBack : join.certificate}
          </Button>
        </div>
      )}
    </>
  );
}

/** The desktop app holds the screen as soon as the kiosk is open, so its operator needs a PIN before. */
const isDesktopApp = () => 'gatehouseDesktop' in window;

/** This computer as the kiosk. */
function Here({ made }: { made: KioskWithCode }) {
  const { join } = useWords('setup');
  const common = useCommonWords();
  const { has_pin: hasPin } = useMe();
  const [asksPin, setAsksPin] = useState(isDesktopApp);
  if (!hasPin && asksPin) {
    return (
      <section className="stack">
        <h3>{join.pin}</h3>
        <p>{join.pinText}</p>
        <PinForm>
          {!isDesktopApp() && (
            <Button variant="default" onClick={() => setAsksPin(false)}>
              {common.actions.cancel}
            </Button>
          )}
        </PinForm>
      </section>
    );
  }
  return (
    <section>
      <h3>{join.here}</h3>
      <p>{join.hereText}</p>
      <Button
        component="a"
        data-autofocus={made.is_local_only ? true : undefined}
        href={isHere() ? made.here_url : made.pairing_url}
        target="_blank"
        rel="noopener"
      >
        {join.hereOpen}
      </Button>
      {!hasPin && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAsksPin(true)}>
          {join.pin}
        </Button>
      )}
    </section>
  );
}

/** The page that helps a device trust network mode's certificate, and the fingerprint that it must show. */
function Trust({ trust: { url, fingerprint } }: { trust: NonNullable<KioskWithCode['trust']> }) {
  const { lan } = useWords('settings');
  const { join } = useWords('setup');
  return (
    <section>
      <h3>{join.trustTitle}</h3>
      <p>{join.trustText}</p>
      <Qr text={url} label={lan.qrLabel} />
      <Copyable value={url} label={lan.trustPage} />
      <code className="fingerprint" aria-label={lan.fingerprint}>
        {fingerprint}
      </code>
    </section>
  );
}

/** Network mode changes the address, and with it the QR code. */
function NotReachable({ renewing }: { renewing: Renewing }) {
  const { join } = useWords('setup');
  const isAdmin = useMay('admin');
  const { is_limited: isLimited } = useMe();
  const mayOpen = isAdmin && !isLimited;
  const { lan: lanWords } = useWords('settings');
  const [asks, setAsks] = useState(false);
  const [failure, setFailure] = useState<LanSettings['failure']>(null);
  return (
    <>
      <p>{mayOpen ? join.notReachable : join.notReachableStaff}</p>
      {mayOpen && (
        <Button variant="default" loading={renewing.isPending} onClick={() => setAsks(true)}>
          {join.openNetwork}
        </Button>
      )}
      {failure !== null && <p role="alert">{lanWords.failures[failure]}</p>}
      <ErrorLine error={renewing.error} />
      {asks && (
        <OpenNetwork
          onOpened={(lan) => {
            setFailure(lan.failure);
            renewing.mutate();
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}
