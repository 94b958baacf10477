import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { audit } from '../../../../server/contract/routes/console/audit.ts';
import { call } from '../shared/client/api.ts';
import { Copyable } from '../shared/copy.tsx';
import { Icon } from '../shared/icons.tsx';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

/** Verifies the whole log: whether each entry matches the one before it. */
export function VerifyChain() {
  const words = useWords('audit');
  const verifying = useMutation({ mutationFn: () => call(audit.verify) });
  const verdict = verifying.data;
  return (
    <section className="verify-chain">
      <Button variant="default" size="xs" loading={verifying.isPending} onClick={() => verifying.mutate()}>
        {words.verify}
      </Button>
      <ErrorLine error={verifying.error} />
      {verdict !== undefined && (
        <div className="note" data-tone={verdict.intact ? 'passed' : 'refused'} role="status">
          <Icon name={verdict.intact ? 'check' : 'look'} />
          <div>
            <p>
              {verdict.intact
                ? words.intact({ count: verdict.entries })
                : words.broken({ entry: verdict.broken_at ?? 0 })}
            </p>
            {verdict.intact && verdict.head_hash !== null && (
              <p>
                {words.head}: <Copyable value={verdict.head_hash} label={words.head} /> {words.headHelp}
              </p>
            )}
          </div>
        </div>
      )}
    </section>
  );
}
