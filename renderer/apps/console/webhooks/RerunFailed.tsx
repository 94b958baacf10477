import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { webhookCalls } from '../../../../server/contract/routes/console/webhooks.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';

const DAY_MS = 86_400_000;
/** `YYYY-MM-DDTHH:MM` in the machine's time zone, as the browser's field requires. */
const LOCAL_CHARS = 16;
const MINUTE_MS = 60_000;

function localTime(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * MINUTE_MS;
  return new Date(atMs - offsetMs).toISOString().slice(0, LOCAL_CHARS);
}

/** Asks for a start time, and reports how many calls were queued. */
export function RerunFailed({ lineageId, onClose }: { lineageId: string; onClose: () => void }) {
  const words = useWords('webhooks');
  const common = useCommonWords();
  const call = useScopedCall();
  const [since, setSince] = useState(() => localTime(Date.now() - DAY_MS));
  const sinceMs = Date.parse(since);
  const rerunning = useMutation({
    mutationFn: () =>
      call(webhookCalls.rerunFailed, {
        params: { lineage_id: lineageId },
        body: { since: new Date(sinceMs).toISOString() },
      }),
  });
  return (
    <FormDialog
      title={words.rerunAll}
      submit={words.rerun}
      isReady={!Number.isNaN(sinceMs)}
      sending={rerunning}
      {...(rerunning.data !== undefined && { leave: common.actions.close })}
      onClose={onClose}
    >
      <p>{words.rerunAllText}</p>
      <TextInput
        type="datetime-local"
        label={words.since}
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
      {rerunning.data !== undefined && (
        <p className="note" data-tone="passed" role="status">
          {words.rerunAllDone({ calls: rerunning.data.calls })}
        </p>
      )}
    </FormDialog>
  );
}
