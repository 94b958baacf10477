import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import type { KioskCamera } from '../../../../server/contract/kiosk.ts';
import { Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const WELL: readonly (KioskCamera | null)[] = [null, 'unknown', 'ready'];

/** One word for the state of a kiosk; problems take precedence over activity. */
export function KioskState({ kiosk: { state, camera, screen } }: { kiosk: KioskRecord }) {
  const { kiosks: words, underWay } = useWords('door');
  const screens = { ...underWay.steps, ...words.screens };
  if (state === 'away') {
    return (
      <Status tone="refused" icon="offline">
        {words.states.away}
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
    return (
      <Status tone="look" icon="look">
        {words.cameras[camera]}
      </Status>
    );
  }
  if (screen === 'trouble') {
    return (
      <Status tone="look" icon="look">
        {words.screens.trouble}
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
