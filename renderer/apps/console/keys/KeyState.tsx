import type { KeyStateName } from '../../../../server/contract/console/keys.ts';
import { Countdown } from '../shared/Countdown.tsx';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const LOOK: Record<KeyStateName, readonly [Tone, IconName]> = {
  active: ['passed', 'check'],
  ending: ['look', 'clock'],
  ended: ['quiet', 'dash'],
  revoked: ['quiet', 'cross'],
};

/** Whether the pair is active; one that is ending counts down. */
export function KeyState({ state, endsAt }: { state: KeyStateName; endsAt: string | null }) {
  const { states } = useWords('keys');
  const [tone, icon] = LOOK[state];
  return (
    <Status tone={tone} icon={icon}>
      {states[state]}
      {state === 'ending' && endsAt !== null && (
        <>
          {' · '}
          <Countdown at={endsAt} />
        </>
      )}
    </Status>
  );
}
