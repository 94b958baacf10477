import { NumberInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import { MAX_DAILY_LIMIT } from '../../../../server/contract/console/usage.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** A new cap, with its reason. */
export function ChangeCap({ cap, onClose }: { cap: number; onClose: () => void }) {
  const words = useWords('usage');
  const client = useQueryClient();
  const scope = useScopeFilter();
  const call = useScopedCall();
  const [next, setNext] = useState<number | string>(cap);
  return (
    <ConfirmDialog
      title={words.changeCap}
      confirm={words.changeCap}
      withReason
      act={async (reason) => {
        const { today, changes } = await call(usage.changeCap, {
          body: { daily_limit: Number(next), reason },
        });
        client.setQueryData(['usage-today', scope], today);
        client.setQueriesData({ queryKey: ['usage', 'cap', scope] }, { pages: [changes], pageParams: [''] });
      }}
      onClose={onClose}
    >
      <NumberInput
        label={words.cap}
        description={words.capHelp}
        min={0}
        max={MAX_DAILY_LIMIT}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        thousandSeparator=" "
        value={next}
        onChange={setNext}
      />
    </ConfirmDialog>
  );
}
