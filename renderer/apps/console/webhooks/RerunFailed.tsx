import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { webhookCalls } from '../../../../server/contract/routes/console/webhooks.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { fromField, toField } from '../shared/time/field.ts';
import { Said } from '../shared/states.tsx';
import { serverNowMs } from '../shared/time/server-time.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';

const DAY_MS = 86_400_000;

/** Asks for a start time, and reports how many calls were queued. */
export function RerunFailed({ lineageId, onClose }: { lineageId: string; onClose: () => void }) {
  const words = useWords('webhooks');
  const common = useCommonWords();
  const call = useScopedCall();
  const [since, setSince] = useState(() => toField(serverNowMs() - DAY_MS));
  const sinceTime = fromField(since);
  const rerunning = useMutation({
    mutationFn: () =>
      call(webhookCalls.rerunFailed, {
        params: { lineage_id: lineageId },
        body: { since: sinceTime },
      }),
  });
  return (
    <FormDialog
      title={words.rerunAll}
      submit={words.rerun}
      isReady={sinceTime !== ''}
      sending={rerunning}
      {...(rerunning.data !== undefined && { leave: common.actions.close })}
      onClose={onClose}
    >
      <p>{words.rerunAllText}</p>
      <TextInput type="datetime-local" label={words.since} {...text(since, setSince)} />
      {rerunning.data !== undefined && <Said>{words.rerunAllDone({ calls: rerunning.data.calls })}</Said>}
    </FormDialog>
  );
}
