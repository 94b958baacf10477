import { Button, type ButtonProps, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { kiosks as kiosksRoutes } from '../../../../server/contract/routes/console/kiosks.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { Icon } from '../shared/icons.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useErrorText } from '../shared/client/error-text.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';

/** A kiosk that is free for a guest: it reports, has an event, and nobody is using it. */
const isReady = ({ state, event_id, screen }: KioskRecord): boolean =>
  state === 'online' && event_id !== null && (screen === null || screen === 'attract');

type WalkUpProps = { kiosks: readonly KioskRecord[]; onPair: () => void };

/** The page’s main action: start a walk-up, or pair the first kiosk. */
export function WalkUpMenu({ kiosks, onPair }: WalkUpProps) {
  const words = useWords('door');
  const icon = <Icon name="plus" />;
  if (kiosks.every(({ paired_at }) => paired_at === null)) {
    return (
      <Button leftSection={icon} onClick={onPair}>
        {words.kiosks.pair}
      </Button>
    );
  }
  return <StartAtKiosk kiosks={kiosks} label={words.walkUp} leftSection={icon} />;
}

/** How many kiosks a guest can be sent to. First in its row, which ends at the right, so that its width moves nothing. */
export function FreeKiosks({ kiosks }: Pick<WalkUpProps, 'kiosks'>) {
  const words = useWords('door');
  if (kiosks.every(({ paired_at }) => paired_at === null)) return null;
  return (
    <span className="quiet" role="status">
      {words.freeKiosks({ count: kiosks.filter(isReady).length })}
    </span>
  );
}

type StartProps = ButtonProps & { kiosks: readonly KioskRecord[]; label: string };

/** Starts a walk-up at one of the kiosks that are ready. */
export function StartAtKiosk({ kiosks, label, ...look }: StartProps) {
  const words = useWords('door');
  const common = useCommonWords();
  const call = useScopedCall();
  const textOf = useErrorText();
  const ready = kiosks.filter(isReady);
  const closeButtonProps = { 'aria-label': common.actions.close };
  const starting = useMutation({
    mutationFn: ({ kiosk_id }: KioskRecord) =>
      call(kiosksRoutes.command, { params: { kiosk_id }, body: { kind: 'walk_up' } }),
    onSuccess: (_done, { name }) =>
      notifications.show({ message: words.started({ name }), closeButtonProps }),
    onError: (error) =>
      notifications.show({
        title: common.errors.actionTitle,
        message: textOf(error),
        color: 'refused',
        closeButtonProps,
      }),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...look} disabled={ready.length === 0} loading={starting.isPending}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ready.map((kiosk) => (
          <Menu.Item key={kiosk.kiosk_id} onClick={() => starting.mutate(kiosk)}>
            {kiosk.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
