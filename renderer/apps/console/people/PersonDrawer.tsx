import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { people } from '../../../../server/contract/routes/console/people.ts';
import type { ErasureProof, PersonProfile } from '../../../../server/contract/console/people.ts';
import { AuditLines } from '../audit/AuditSentence.tsx';
import { fileAddress, reading } from '../shared/client/api.ts';
import { DetailDrawer } from '../shared/lists/DetailDrawer.tsx';
import { Download } from '../shared/Download.tsx';
import { useMay, useScopeFilter } from '../shared/client/session.ts';
import { Said, Unread } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { ErasePerson } from './ErasePerson.tsx';
import { ErasureDetail } from './ErasureDetail.tsx';
import { BlockPanel } from './BlockPanel.tsx';
import { LookAlikes } from './LookAlikes.tsx';
import { PersonFacts, personName } from './PersonFacts.tsx';
import { PersonHistory } from './PersonHistory.tsx';

/** One person, by ID; after an erasure, its record. */
export function PersonDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const words = useWords('people');
  const common = useCommonWords();
  const scope = useScopeFilter();
  const [proof, setProof] = useState<ErasureProof | null>(null);
  const isErased = proof !== null && proof.person_id === id;
  const query = useQuery({
    ...reading(['person', scope, id], people.read, { params: { person_id: id ?? '' }, query: scope }),
    enabled: id !== undefined && !isErased,
  });
  const person = isErased ? undefined : query.data;
  return (
    <DetailDrawer
      title={titleOf(isErased ? words.erased : undefined, person && personName(person, words))}
      opened={id !== undefined}
      onClose={onClose}
    >
      {isErased && (
        <div className="stack">
          <Said>{words.erasedText}</Said>
          <ErasureDetail proof={proof} />
        </div>
      )}
      {person !== undefined && (
        <div className="stack">
          <PersonActions person={person} onErased={setProof} />
          <PersonFacts person={person} />
          <PersonHistory personId={person.person_id} />
          <BlockPanel personId={person.person_id} />
          <LookAlikes personId={person.person_id} />
          <AuditLines lines={person.changes} />
        </div>
      )}
      {!isErased && query.isPending && <p className="quiet">{common.table.loading}</p>}
      {!isErased && <Unread query={query} />}
    </DetailDrawer>
  );
}

const titleOf = (erased: string | undefined, name: string | undefined): string => erased ?? name ?? '';

/** For admins. */
function PersonActions({
  person,
  onErased,
}: {
  person: PersonProfile;
  onErased: (proof: ErasureProof) => void;
}) {
  const words = useWords('people');
  const scope = useScopeFilter();
  const [erasing, setErasing] = useState(false);
  if (!useMay('admin')) return null;
  return (
    <div className="row">
      <Download
        href={fileAddress(people.export, { params: { person_id: person.person_id }, query: scope })}
        size="xs"
      >
        {words.export}
      </Download>
      <Button size="xs" variant="default" c="var(--refused)" onClick={() => setErasing(true)}>
        {words.erase}
      </Button>
      {erasing && <ErasePerson person={person} onErased={onErased} onClose={() => setErasing(false)} />}
    </div>
  );
}
