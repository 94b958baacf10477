import { Button } from '@mantine/core';
import { useState } from 'react';
import { keys as keysRoutes } from '../../../../server/contract/routes/console/keys.ts';
import type {
  ConsoleKey,
  KeyPair,
  Overlap,
  PairIssued,
  KeyStateName,
} from '../../../../server/contract/console/keys.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts, useOpenRow, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { OverlapSelect } from '../shared/Choices.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { Countdown } from '../shared/time/Countdown.tsx';
import type { IconName } from '../shared/icons.tsx';
import { Status, type Tone } from '../shared/states.tsx';
import { RenameKeys } from './RenameKeys.tsx';

type Asked = { kind: 'roll' | 'rename' } | { kind: 'revoke'; id: string; name: string };
type Props = {
  pair: KeyPair;
  onIssued: (issued: PairIssued) => void;
  /** Called with the changed pair. */
  onChanged: (pair: KeyPair) => void;
};

export function KeyDetail({ pair, onIssued, onChanged }: Props) {
  const words = useWords('keys');
  const call = useScopedCall();
  const { open } = useOpenRow();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const name = pairName(pair);
  const next = pair.replaced_by;
  const close = () => setAsked(null);

  return (
    <div className="stack">
      <Facts>
        <Fact term={words.name}>
          {pair.name ?? <span className="quiet">{words.unnamed}</span>}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => setAsked({ kind: 'rename' })}>
            {words.rename}
          </Button>
        </Fact>
        <Fact term={words.state}>
          <KeyState state={pair.state} endsAt={pair.ends_at} />
        </Fact>
        <Fact term={words.type}>{words.types[pair.type]}</Fact>
        <TimeFact term={words.created} at={pair.created_at} />
        <CopyFact term={words.pairId} value={pair.pair_id} />
        {next !== null && (
          <Fact term={words.replacedBy}>
            <button type="button" className="row-open" onClick={() => open(next)}>
              <code>{next}</code>
            </button>
          </Fact>
        )}
      </Facts>
      {pair.keys.map((key) => (
        <section key={key.key_id} className="panel panel--actions">
          <h2>
            {words.kinds[kindOf(key)]} <code>{key.display}</code>
          </h2>
          <KeyFacts item={key} />
          {pair.keys.length > 1 && isWorking(key) && (
            <Button
              variant="default"
              size="xs"
              c="var(--refused)"
              onClick={() => setAsked({ kind: 'revoke', id: key.key_id, name: key.display })}
            >
              {words.revoke}
            </Button>
          )}
        </section>
      ))}
      {isWorking(pair) && (
        <div className="row">
          <Button variant="default" onClick={() => setAsked({ kind: 'roll' })}>
            {words.roll}
          </Button>
          <Button
            variant="default"
            c="var(--refused)"
            onClick={() => setAsked({ kind: 'revoke', id: pair.pair_id, name })}
          >
            {pair.keys.length > 1 ? words.revokeBoth : words.revoke}
          </Button>
        </div>
      )}
      {asked?.kind === 'rename' && <RenameKeys pair={pair} onChanged={onChanged} onClose={close} />}
      {asked?.kind === 'roll' && (
        <ConfirmDialog
          title={words.rollTitle({ keys: name })}
          confirm={words.roll}
          destructive={overlap === 'now'}
          withReason
          act={async (reason) => {
            const params = { pair_id: pair.pair_id };
            const rolled = await call(keysRoutes.roll, { params, body: { overlap, reason } });
            onIssued(rolled);
            onChanged(rolled.replaced);
          }}
          onClose={close}
        >
          <div className="stack">
            <p>{words.rollText}</p>
            <OverlapSelect value={overlap} onChange={setOverlap} />
          </div>
        </ConfirmDialog>
      )}
      {asked?.kind === 'revoke' && (
        <ConfirmDialog
          title={words.revokeTitle({ keys: asked.name })}
          confirm={words.revoke}
          destructive
          withReason
          act={async (reason) => {
            const revoked = await call(keysRoutes.revoke, { params: { id: asked.id }, body: { reason } });
            onChanged(revoked.pair);
          }}
          onClose={close}
        >
          {words.revokeText}
        </ConfirmDialog>
      )}
    </div>
  );
}

const kindOf = ({ kind }: ConsoleKey): 'pk' | 'sk' | 'ak' =>
  (['pk', 'sk'] as const).find((known) => kind.startsWith(known)) ?? 'ak';

function KeyFacts({ item }: { item: ConsoleKey }) {
  const words = useWords('keys');
  return (
    <Facts>
      <TimeFact term={words.lastUsed} at={item.last_used_at} />
      {item.revoked_at !== null && <TimeFact term={words.revokedAt} at={item.revoked_at} />}
      {item.revoked_at === null && item.ends_at !== null && (
        <TimeFact term={item.state === 'ending' ? words.ends : words.ended} at={item.ends_at} />
      )}
      {item.reason !== null && <Fact term={words.reason}>{item.reason}</Fact>}
    </Facts>
  );
}

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

/** What the pair is for; else its keys' display forms. */
export const pairName = (pair: Pick<KeyPair, 'keys' | 'name'>): string => pair.name ?? displaysOf(pair);

/** Secret or API-KEY last: the part that its owner would recognise. */
export const displaysOf = ({ keys }: Pick<KeyPair, 'keys'>): string =>
  keys.map(({ display }) => display).join(' + ');

export const isWorking = ({ state }: Pick<KeyPair, 'state'>): boolean =>
  state === 'active' || state === 'ending';
