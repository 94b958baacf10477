import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { webhooks } from '../../../../server/contract/routes/console/webhooks.ts';
import type { Overlap } from '../../../../server/contract/console/keys.ts';
import type { WebhookLineDetail, WebhookSecrets } from '../../../../server/contract/console/webhooks.ts';
import { ConfirmButton } from '../shared/dialogs/ConfirmDialog.tsx';
import { Copyable } from '../shared/copy.tsx';
import { LeftSentence } from '../shared/time/Countdown.tsx';
import { OverlapSelect } from '../shared/Choices.tsx';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ErrorLine, Status } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

type Props = {
  lineageId: string;
  name: string;
  secrets: WebhookLineDetail['secrets'];
  /** Of a webhook of v3. */
  isV3?: boolean;
};

/** The secrets of a key family: shown on request, which is recorded, and replaced with an overlap. */
export function Secret({ lineageId, name, secrets, isV3 = false }: Props) {
  const words = useWords('webhooks');
  const client = useQueryClient();
  const scope = useScopeFilter();
  const call = useScopedCall();
  const params = { lineage_id: lineageId };
  const [whole, setWhole] = useState<WebhookSecrets['items'] | null>(null);
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const showing = useMutation({
    mutationFn: () => call(webhooks.showSecrets, { params }),
    onSuccess: ({ items }) => setWhole(items),
  });
  return (
    <section className="panel">
      <h2>{words.secret}</h2>
      <p className="quiet">{isV3 ? words.v3.secretText : words.secretText}</p>
      {secrets.length === 0 ? (
        <p>{words.secretNone}</p>
      ) : (
        secrets.map(({ version, ends_at: endsAt }) => (
          <div key={version} className="secret-row">
            <span>{words.version({ version })}</span>
            {endsAt === null ? (
              <Status tone="passed">{words.signs}</Status>
            ) : (
              <Status tone="look" icon="clock">
                <LeftSentence words={words.previous} at={endsAt} />
              </Status>
            )}
            <SecretValue
              value={whole?.find((known) => known.version === version)?.secret}
              label={words.version({ version })}
            />
          </div>
        ))
      )}
      <ErrorLine error={showing.error} />
      {secrets.length > 0 && (
        <div className="row panel__actions">
          <Button
            variant="default"
            loading={showing.isPending}
            onClick={() => (whole === null ? showing.mutate() : setWhole(null))}
          >
            {whole === null ? words.show : words.hide}
          </Button>
          <ConfirmButton
            title={words.rotateTitle({ key: name })}
            confirm={words.rotate}
            destructive={overlap === 'now'}
            withReason
            act={async (reason) => {
              const { items } = await call(webhooks.rotateSecret, { params, body: { overlap, reason } });
              setWhole(items);
              if (isV3) await client.invalidateQueries({ queryKey: ['webhooks', 'v3'] });
              client.setQueryData<WebhookLineDetail>(
                ['webhooks', 'line', lineageId, scope],
                (line) =>
                  line && {
                    ...line,
                    secrets: items.map(({ version, created_at, ends_at }) => ({
                      version,
                      created_at,
                      ends_at,
                    })),
                  },
              );
            }}
          >
            <div className="stack">
              <p>{words.rotateText}</p>
              <OverlapSelect value={overlap} onChange={setOverlap} />
            </div>
          </ConfirmButton>
        </div>
      )}
    </section>
  );
}

function SecretValue({ value, label }: { value: string | undefined; label: string }) {
  return value === undefined ? <code>whsec_••••••••</code> : <Copyable value={value} label={label} />;
}
