/** Badges that kiosks printed or have to print, newest first. None is printed twice unless somebody asks here. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DoorBadge } from '../../../../server/contract/console/door-team.ts';
import { doorTeam } from '../../../../server/contract/routes/console/door-team.ts';
import { useScopedCall } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { clockTime } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';

type BadgesProps = { eventId: string; badges: readonly DoorBadge[]; onAsked: () => Promise<unknown> };

/** Nothing while there are none. */
export function Badges({ eventId, badges, onAsked }: BadgesProps) {
  const { badges: words, team } = useWords('door');
  const { language } = useLanguage();
  const scopedCall = useScopedCall();
  const again = useMutation({
    mutationFn: (id: string) =>
      scopedCall(doorTeam.printAgain, { params: { event_id: eventId, badge_id: id } }),
    onSettled: onAsked,
  });
  if (badges.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="door-badges">
      <h2 id="door-badges">{words.title}</h2>
      <ul className="door-list">
        {badges.map(({ badge_id: id, name, kiosk, status, why, at }) => {
          const guest = name ?? team.noName;
          const line = words[status === 'failed' ? (why ?? 'failed') : status];
          return (
            <li key={id} className="door-list__row">
              <div>
                <strong>{guest}</strong>
                <p className="quiet">
                  {line({ kiosk: kiosk ?? words.noKiosk, time: clockTime(at, language) })}
                </p>
              </div>
              {status !== 'waiting' && kiosk !== null && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={words.againOf({ name: guest })}
                  loading={again.isPending && again.variables === id}
                  onClick={() => again.mutate(id)}
                >
                  {words.again}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <ErrorLine error={again.error} />
    </section>
  );
}
