/** The operator's actions for a guest whose check has ended. */
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DoorAction, DoorAgain, DoorRun } from '../../../../server/contract/console/door.ts';
import { door } from '../../../../server/contract/routes/console/door.ts';
import { Qr } from '../../../ui/Qr.tsx';
import { LetInDialog } from './LetInDialog.tsx';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { Copyable } from '../shared/copy.tsx';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch, useMay, useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';

/** A guest whose check has ended, or who waits for staff at a kiosk. */
type ActedRun = Pick<DoorRun, 'session_id' | 'guest' | 'actions'>;
/** A run, and the actions that staff can take on it. */
export type AskedRun = { run: ActedRun; action: DoorAction };
export type OnAsk = (asked: AskedRun) => void;

const guestOf = ({ guest }: ActedRun, walkUpGuest: string): string => guest ?? walkUpGuest;

export function RunActions({
  run,
  onAsk,
  isLarge = false,
}: {
  run: ActedRun & Partial<Pick<DoorRun, 'case_id'>>;
  onAsk: OnAsk;
  isLarge?: boolean;
}) {
  const { actions: words, walkUpGuest } = useWords('door');
  const caseId = run.case_id ?? null;
  if (run.actions.length === 0 && caseId === null) return null;
  return (
    <div
      className={isLarge ? 'row run-actions run-actions--large' : 'row run-actions'}
      role="group"
      aria-label={words.label({ guest: guestOf(run, walkUpGuest) })}
    >
      {run.actions.map((action) => (
        <Button
          key={action}
          size={isLarge ? 'sm' : 'compact-sm'}
          variant="default"
          onClick={() => onAsk({ run, action })}
        >
          {words[action]}
        </Button>
      ))}
      {caseId !== null && <CaseLink caseId={caseId} />}
    </div>
  );
}

function CaseLink({ caseId }: { caseId: string }) {
  const { actions: words } = useWords('door');
  const search = scopeSearch(useSearch());
  if (!useMay('reviewer')) return <span className="quiet">{words.asked}</span>;
  return (
    <Link to="/reviews/$caseId" params={{ caseId }} search={search} className="text-link">
      {words.openCase}
    </Link>
  );
}

type RunDialogProps = { asked: AskedRun; onMade: (made: DoorAgain) => void; onClose: () => void };

/** Stored in the page, so that a result that arrives meanwhile neither closes it nor changes its guest. */
export function RunDialog({ asked: { run, action }, onMade, onClose }: RunDialogProps) {
  const { actions: words, walkUpGuest } = useWords('door');
  const call = useScopedCall();
  const client = useQueryClient();
  const params = { session_id: run.session_id };
  if (action === 'let_in') return <LetInDialog run={run} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={words[`${action}Title`]({ guest: guestOf(run, walkUpGuest) })}
      confirm={words[action]}
      withReason
      act={async (reason) => {
        if (action === 'again') onMade(await call(door.again, { params, body: { reason } }));
        else await call(door.review, { params, body: { reason } });
        await client.invalidateQueries({ queryKey: ['door'] });
      }}
      onClose={onClose}
    >
      {words[`${action}Text`]}
    </ConfirmDialog>
  );
}

export function NewCheck({ made, onClose }: { made: DoorAgain; onClose: () => void }) {
  const { actions: words } = useWords('door');
  return (
    <Dialog onClose={onClose} title={words.readyTitle}>
      <div className="again">
        <p>{words.readyText}</p>
        <Qr text={made.url} label={words.qr} />
        <Copyable value={made.url} label={words.link} />
      </div>
    </Dialog>
  );
}
