import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { verifications } from '../../../../server/contract/routes/console/verifications.ts';
import type { ConsoleVerification } from '../../../../server/contract/console/verifications.ts';
import { lazyPart } from '../../../http/load-part.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Copyable } from '../shared/copy.tsx';
import { PageLightFact } from '../shared/PageLight.tsx';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { Status } from '../shared/states.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { Editor, verificationDraft } from './Editor.tsx';
import { OptionFacts } from './OptionFacts.tsx';
import { labelled, useVerificationName } from './names.ts';

/** Without its picture, the link can be copied. */
const Qr = lazyPart(
  () => import('../../../ui/Qr.tsx'),
  'Qr',
  () => null,
);

/** Its data, its link, and its actions. */
export function VerificationDetail({ verification }: { verification: ConsoleVerification }) {
  const words = useWords('verifications');
  const client = useQueryClient();
  const call = useScopedCall();
  const nameOf = useVerificationName();
  const hasDraft = useHasDraft();
  const [editing, setEditing] = useState(() => hasDraft(verificationDraft(verification.verification_id)));
  const [asked, setAsked] = useState(false);
  if (editing) {
    const end = () => setEditing(false);
    return <Editor verification={verification} onSaved={end} onCancel={end} />;
  }
  const { verification_id: id, url, config, is_default: isDefault } = verification;
  const places = [
    [words.externalId, verification.external_id],
    [words.tenantId, verification.external_tenant_id],
    [words.origin, verification.origin],
    [words.startPath, verification.start_path],
    [words.returnPath, verification.return_path],
    [words.redirectUrl, verification.redirect_url],
    [words.embedOrigins, verification.embed_origins.join(', ') || null],
    [words.unusableOrigins, verification.unusable_origins.join(', ') || null],
  ] as const;
  return (
    <div className="stack">
      <section className="verification-link">
        <Suspense fallback={<span className="qr" />}>
          <Qr text={url} label={words.qr} />
        </Suspense>
        <div>
          <h2>{words.link}</h2>
          <p className="quiet">{words.linkHelp}</p>
          <Copyable value={url} label={words.link} />
        </div>
      </section>
      <Facts>
        {isDefault && (
          <Fact term={words.isDefault}>
            <DefaultMark />
          </Fact>
        )}
        {places.map(
          ([term, value]) =>
            value !== null && (
              <Fact key={term} term={term}>
                {value}
              </Fact>
            ),
        )}
        <CopyFact term={words.id} value={id} />
        <TimeFact term={words.changed} at={verification.updated_at} />
        <PageLightFact
          kind="verification"
          placeId={id}
          read={(signal) => call(verifications.light, { params: { verification_id: id }, signal })}
        />
      </Facts>
      <section aria-labelledby="verification-options">
        <h2 id="verification-options">{words.config}</h2>
        <OptionFacts config={config} />
      </section>
      <div className="row">
        <Button onClick={() => setEditing(true)}>{words.edit}</Button>
        {!isDefault && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {words.makeDefault}
          </Button>
        )}
      </div>
      {asked && (
        <ConfirmDialog
          title={words.makeDefaultTitle({ name: nameOf(labelled(verification)) })}
          confirm={words.makeDefault}
          withReason
          act={async (reason) => {
            await call(verifications.makeDefault, { params: { verification_id: id }, body: { reason } });
            await client.invalidateQueries({ queryKey: ['verifications'] });
          }}
          onClose={() => setAsked(false)}
        >
          {words.makeDefaultText}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Marks the verification that requests without one use. */
export function DefaultMark() {
  const words = useWords('verifications');
  return (
    <Status tone="action" icon="check">
      {words.isDefault}
    </Status>
  );
}
