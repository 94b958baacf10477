/** The organiser's block of a person, which admins can set, change and end; and all people whom the organiser blocks. */
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  BLOCK_ACTIONS,
  type BlockAction,
  type BlockList,
  MAX_BLOCK_CONTACT_CHARS,
  MOST_BLOCK_DAYS,
  type PersonBlock,
} from '../../../../server/contract/console/blocks.ts';
import { people } from '../../../../server/contract/routes/console/people.ts';
import { reading, call } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { useMay, useScopedCall, useScopeFilter, type ScopeFilter } from '../shared/client/session.ts';
import { Icon } from '../shared/icons.tsx';
import { TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { text } from '../shared/forms/fields.ts';
import { cursorList, useCursorList } from '../shared/lists/list.ts';

const DAYS = 30;
const MIN_CONTACT_CHARS = 3;

export function BlockPanel({ personId }: { personId: string }) {
  const { block: words } = useWords('people');
  const scope = useScopeFilter();
  const scopedCall = useScopedCall();
  const client = useQueryClient();
  const isAdmin = useMay('admin');
  const key = ['person', scope, personId, 'blocks'];
  const { data } = useQuery(reading(key, people.blocksOf, { params: { person_id: personId }, query: scope }));
  const [asked, setAsked] = useState<'set' | 'end' | null>(null);
  const active = data?.items.find(({ is_active: isActive }) => isActive);
  const params = { person_id: personId };
  const show = (list: BlockList): void => {
    client.setQueryData(key, list);
    void client.invalidateQueries({ queryKey: ['person', scope, personId], exact: true });
    void client.invalidateQueries({ queryKey: ['people', 'blocks'] });
  };
  return (
    <section className="stack">
      <h2 className="drawer-heading">{words.title}</h2>
      {active === undefined ? <p className="quiet">{words.none}</p> : <BlockNote block={active} />}
      {isAdmin && data !== undefined && (
        <div className="row">
          <Button size="xs" variant="default" onClick={() => setAsked('set')}>
            {active === undefined ? words.add : words.change}
          </Button>
          {active !== undefined && (
            <Button size="xs" variant="default" onClick={() => setAsked('end')}>
              {words.end}
            </Button>
          )}
        </div>
      )}
      {asked === 'set' && (
        <BlockDialog
          before={active}
          send={async (body) => show(await scopedCall(people.block, { params, body }))}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'end' && (
        <ConfirmDialog
          title={words.end}
          confirm={words.end}
          withReason
          act={async (reason) => show(await scopedCall(people.unblock, { params, body: { reason } }))}
          onClose={() => setAsked(null)}
        >
          <p>{words.endText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function BlockNote({ block }: { block: PersonBlock }) {
  const { block: words } = useWords('people');
  return (
    <div className="note" data-tone={block.action === 'refuse' ? 'refused' : 'look'}>
      <Icon name={block.action === 'refuse' ? 'cross' : 'look'} />
      <div>
        <strong>{words.actions[block.action]}</strong>
        {' · '}
        <TimeSentence words={words.until} at={block.expires_at} />
        <p>{block.reason}</p>
        <p>{words.ask({ contact: block.contact })}</p>
        <p className="quiet">
          <TimeSentence
            words={({ time }) => words.by({ name: block.created_by, time })}
            at={block.created_at}
          />
        </p>
      </div>
    </div>
  );
}

type BlockDialogProps = {
  before: PersonBlock | undefined;
  send: (body: { action: BlockAction; days: number; contact: string; reason: string }) => Promise<void>;
  onClose: () => void;
};

function BlockDialog({ before, send, onClose }: BlockDialogProps) {
  const { block: words } = useWords('people');
  const [action, setAction] = useState<BlockAction>(before?.action ?? 'refuse');
  const [days, setDays] = useState<number>(DAYS);
  const [contact, setContact] = useState(before?.contact ?? '');
  const isWithin = Number.isInteger(days) && days >= 1 && days <= MOST_BLOCK_DAYS;
  const title = before === undefined ? words.add : words.change;
  return (
    <ConfirmDialog
      title={title}
      confirm={title}
      withReason
      isReady={isWithin && contact.trim().length >= MIN_CONTACT_CHARS}
      act={(reason) => send({ action, days, contact: contact.trim(), reason })}
      onClose={onClose}
    >
      <div className="stack form">
        <p>{words.text}</p>
        <NativeSelect
          label={words.action}
          data-autofocus
          value={action}
          data={BLOCK_ACTIONS.map((value) => ({ value, label: words.actions[value] }))}
          onChange={({ currentTarget }) => setAction(currentTarget.value === 'review' ? 'review' : 'refuse')}
        />
        <NumberInput
          label={words.days}
          description={`1 … ${MOST_BLOCK_DAYS}`}
          allowDecimal={false}
          clampBehavior="none"
          value={days}
          error={!isWithin}
          onChange={(value) => setDays(Number(value))}
        />
        <TextInput
          label={words.contact}
          description={words.contactHelp}
          autoComplete="off"
          maxLength={MAX_BLOCK_CONTACT_CHARS}
          {...text(contact, setContact)}
        />
      </div>
    </ConfirmDialog>
  );
}

export const blocksOf = (scope: ScopeFilter) =>
  cursorList(['people', 'blocks'], scope, (input) => call(people.blocks, input));

/** The block list: who is blocked now, the newest first. Nothing is shown while nobody is. */
export function Blocked({ onOpen }: { onOpen: (personId: string) => void }) {
  const { block: words } = useWords('people');
  const scope = useScopeFilter();
  const list = useCursorList(blocksOf(scope));
  if (list.rows.length === 0) return null;
  return (
    <details className="block-list">
      <summary>{words.listTitle({ n: list.rows.length })}</summary>
      <ul className="stack">
        {list.rows.map((block) => (
          <li key={block.person_id}>
            <Button variant="subtle" size="compact-sm" onClick={() => onOpen(block.person_id)}>
              {block.name ?? block.short_id}
            </Button>
            <BlockNote block={block} />
          </li>
        ))}
      </ul>
      {list.loadMore !== undefined && (
        <Button size="xs" variant="default" loading={list.isLoadingMore} onClick={list.loadMore}>
          {words.more}
        </Button>
      )}
    </details>
  );
}
