import { useQueryClient } from '@tanstack/react-query';
import { settings } from '../../../../../server/contract/routes/console/settings.ts';
import type { LanSettings } from '../../../../../server/contract/console/settings.ts';
import { call } from '../../shared/client/api.ts';
import { ConfirmDialog } from '../../shared/dialogs/ConfirmDialog.tsx';
import { useWords } from '../../shared/words.tsx';

/** Turns network mode on, once the admin knows what changes for links and devices. */
export function OpenNetwork({
  onOpened,
  onClose,
}: {
  onOpened: (lan: LanSettings) => void;
  onClose: () => void;
}) {
  const { network } = useWords('setup');
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={network.title}
      confirm={network.confirm}
      progress={network.progress}
      onClose={onClose}
      act={async () => {
        const lan = await call(settings.changeLan, { body: { is_on: true, is_console_open: false } });
        await client.invalidateQueries({ queryKey: ['settings'] });
        void client.invalidateQueries({ queryKey: ['door', 'first-steps'] });
        onOpened(lan);
      }}
    >
      {network.text}
    </ConfirmDialog>
  );
}
