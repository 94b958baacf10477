import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { SessionItem } from '../../../../server/contract/console/sessions.ts';
import { sessions } from '../../../../server/contract/routes/console/sessions.ts';
import { asRequestError, type RequestError } from '../../../http/request-error.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** The selected open sessions, ended with one reason. Each has its own entry in the audit log. */
export function EndTogether({ items, onClear }: { items: readonly SessionItem[]; onClear: () => void }) {
  const { together: words } = useWords('sessions');
  const client = useQueryClient();
  const call = useScopedCall();
  const count = items.length;

  /** A session in front of a camera right now stays open, and its refusal is shown once the others have ended. */
  async function cancelAll(reason: string): Promise<void> {
    let underWay: RequestError | null = null;
    try {
      for (const { session_id } of items) {
        try {
          await call(sessions.cancel, { params: { session_id }, body: { reason } });
        } catch (error) {
          const refusal = asRequestError(error);
          if (refusal.code === 'capture_under_way') underWay = refusal;
          else if (refusal.code !== 'session_not_open') throw refusal;
        }
      }
    } finally {
      await Promise.all(['sessions', 'session'].map((key) => client.invalidateQueries({ queryKey: [key] })));
    }
    if (underWay !== null) throw underWay;
  }

  return (
    <section className="decision row" aria-label={words.cancel({ count })}>
      <p role="status">
        <strong>{words.selected({ count })}</strong>
      </p>
      <ConfirmButton
        button={{ variant: 'filled', color: 'refused' }}
        title={words.cancel({ count })}
        confirm={words.cancel({ count })}
        destructive
        withReason
        leave={words.keepOpen({ count })}
        progress={words.progress}
        act={cancelAll}
      >
        {words.text}
      </ConfirmButton>
      <Button variant="subtle" color="gray" onClick={onClear}>
        {words.clear}
      </Button>
    </section>
  );
}
