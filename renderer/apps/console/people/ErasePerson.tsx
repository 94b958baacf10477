import { useQueryClient } from '@tanstack/react-query';
import { people } from '../../../../server/contract/routes/console/people.ts';
import type { ErasureProof, PersonProfile } from '../../../../server/contract/console/people.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useScopedCall } from '../shared/client/session.ts';
import { useWords } from '../shared/words.tsx';
import { personName } from './PersonFacts.tsx';

/** Lists what is deleted, and asks for the person's short ID, because it cannot be undone. */
export function ErasePerson({
  person,
  onErased,
  onClose,
}: {
  person: PersonProfile;
  onErased: (proof: ErasureProof) => void;
  onClose: () => void;
}) {
  const words = useWords('people');
  const client = useQueryClient();
  const call = useScopedCall();
  const erase = async (reason: string) => {
    const body = { reason, confirm: person.short_id };
    onErased(await call(people.erase, { params: { person_id: person.person_id }, body }));
    // Nothing about them stays in this browser's memory either.
    client.removeQueries({ queryKey: ['person'] });
    client.removeQueries({ queryKey: ['person-history'] });
    for (const key of ['people', 'sessions', 'session', 'erasures']) {
      void client.invalidateQueries({ queryKey: [key] });
    }
  };
  return (
    <ConfirmDialog
      title={words.eraseTitle({ who: personName(person, words) })}
      confirm={words.eraseButton}
      destructive
      withReason
      typeName={person.short_id}
      act={erase}
      onClose={onClose}
    >
      <p>{words.eraseText}</p>
      <p className="quiet">{words.eraseReason}</p>
    </ConfirmDialog>
  );
}
