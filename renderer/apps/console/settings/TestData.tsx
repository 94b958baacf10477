import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { testData } from '../../../../server/contract/routes/console/people.ts';
import { useScope, useScopedCall } from '../shared/client/session.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Said } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';
import { TestClock } from './TestClock.tsx';

/**
 * Lets time pass for the company's test partition, or deletes everything in it and asks for the company's name, because it
 * cannot be undone.
 */
export function TestData() {
  const { testData: words } = useWords('settings');
  const { company, partition } = useScope();
  const client = useQueryClient();
  const call = useScopedCall();
  const [isCleared, setCleared] = useState(false);
  return (
    <Panel title={words.title} text={words.text}>
      {partition === 'test' && <TestClock />}
      {isCleared && <Said>{words.cleared}</Said>}
      <div className="row">
        <ConfirmButton
          button={{ c: 'var(--refused)' }}
          title={words.clearTitle({ company: company.name })}
          confirm={words.clear}
          destructive
          withReason
          typeName={company.name}
          act={async (reason) => {
            await call(testData.clear, { body: { reason } });
            setCleared(true);
            // Nothing of it stays in this browser's memory, on any page.
            await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
          }}
        >
          {words.clearText}
        </ConfirmButton>
      </div>
    </Panel>
  );
}
