import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import type { KioskCamera } from '../../../../server/contract/kiosk.ts';
import { Status } from '../shared/states.tsx';
import { useNowMs } from '../shared/time/Countdown.tsx';
import { serverTimeOf } from '../shared/time/server-time.ts';
import { silentSeconds } from './results.ts';
import { useWords } from '../shared/words.tsx';

const WELL: readonly (KioskCamera | null)[] = [null, 'unknown', 'ready'];

/**
 * One word for the state of a kiosk; problems take precedence over activity.
 * @param readAt when the page last heard from the server, epoch milliseconds of this browser
 */
export function KioskState({ kiosk, readAt }: { kiosk: KioskRecord; readAt: number }) {
  const { state, camera, screen } = kiosk;
  const nowMs = useNowMs();
  const { kiosks: words, underWay } = useWords('door');
  const screens = { ...underWay.steps, ...words.screens };
  if (state === 'away') {
    return (
      <Status tone="refused" icon="offline">
        {words.states.away}
      </Status>
    );
  }
  const silent =
    state === 'online' ? silentSeconds(kiosk.silent_ms, Math.max(0, nowMs - serverTimeOf(readAt))) : null;
  if (silent !== null) {
    return (
      <Status tone="look" icon="offline">
        {words.silent({ seconds: silent })}
      </Status>
    );
  }
  if (state !== 'online') {
    return (
      <Status tone={state === 'waiting' ? 'action' : 'look'} icon="clock">
        {words.states[state]}
      </Status>
    );
  }
  if (camera !== null && !WELL.includes(camera)) {
    return <Status tone="look">{words.cameras[camera]}</Status>;
  }
  if (screen === 'trouble') {
    return <Status tone="look">{words.screens.trouble}</Status>;
  }
  if (screen === 'ask_staff') {
    return (
      <Status tone="look" icon="account">
        {screens.ask_staff}
      </Status>
    );
  }
  const isFree = screen === null || screen === 'attract';
  return (
    <Status tone={isFree ? 'passed' : 'action'} icon={isFree ? 'check' : 'account'}>
      {isFree ? words.states.online : screens[screen]}
    </Status>
  );
}
