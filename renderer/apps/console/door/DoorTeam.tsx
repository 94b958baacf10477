/** The door team of the event: who is inside, who calls, and the codes that make phones scanners. */
import { Button, Checkbox, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type DoorTeam as Team,
  MOST_INSIDE_LIMIT,
  type ShiftRecord,
} from '../../../../server/contract/console/door-team.ts';
import { doorTeam } from '../../../../server/contract/routes/console/door-team.ts';
import { Qr } from '../../../ui/Qr.tsx';
import { reading } from '../shared/client/api.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { type ScopeFilter, useMay, useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { Copyable } from '../shared/copy.tsx';
import { ConfirmDialog, FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Dialog } from '../shared/dialogs/Dialog.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { Icon } from '../shared/icons.tsx';
import { Badges } from './Badges.tsx';
import { ErrorLine, Stat, Note } from '../shared/states.tsx';
import { clockTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage, useWords } from '../shared/words.tsx';

const teamOf = (eventId: string, scope: ScopeFilter) =>
  reading(['door-team', eventId, scope], doorTeam.read, { params: { event_id: eventId }, query: scope });

/** Nothing for an event without tickets. */
export function DoorTeam({ eventId }: { eventId: string }) {
  const { team: words } = useWords('door');
  const { language } = useLanguage();
  const scope = useScopeFilter();
  const client = useQueryClient();
  const scopedCall = useScopedCall();
  const isAdmin = useMay('admin');
  const mayGiveCodes = useMay('reviewer');
  useChanges('venue', 'door-team');
  const { data: team } = useQuery(teamOf(eventId, scope));
  const [open, setOpen] = useState<{ kind: 'code' | 'end'; shift: ShiftRecord } | { kind: 'limit' } | null>(
    null,
  );
  const close = () => setOpen(null);
  const params = { event_id: eventId };
  const refresh = () => client.invalidateQueries({ queryKey: ['door-team'] });
  const creating = useMutation({
    mutationFn: (role: ShiftRecord['role']) => scopedCall(doorTeam.create, { params, body: { role } }),
    onSuccess: refresh,
  });
  if (team === undefined || !(team.takes_tickets || team.shifts.length > 0)) return null;
  return (
    <>
      <section className="panel" aria-labelledby="door-team">
        <div className="panel__head">
          <h2 id="door-team">{words.title}</h2>
          {isAdmin && (
            <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'limit' })}>
              {words.limit}
            </Button>
          )}
        </div>
        <Inside team={team} />
        <ul className="door-list" aria-live="polite">
          {team.calls.map(({ name, at }) => (
            <li key={`${name} ${at}`} className="door-list__row">
              <strong>{words.waits({ name, time: clockTime(at, language) })}</strong>
            </li>
          ))}
        </ul>
        <ul className="door-list" aria-live="polite">
          {team.conflicts.map(({ name, at, other_at: otherAt }) => (
            <li key={`${name} ${at}`} className="door-list__row">
              {words.conflict({ name: name ?? words.noName, time: clockTime(otherAt ?? at, language) })}
            </li>
          ))}
        </ul>
        {team.shifts.length === 0 && <p className="quiet">{words.none}</p>}
        <ul className="door-list">
          {team.shifts.map((shift) => (
            <li key={shift.shift_id} className="door-list__row">
              <div>
                <strong>{words[shift.role]}</strong>
                <p className="quiet">{words.phones({ count: shift.phones })}</p>
              </div>
              {shift.code !== null && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={words.showOf({ name: words[shift.role] })}
                  onClick={() => setOpen({ kind: 'code', shift })}
                >
                  {words.show}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {mayGiveCodes && (
          <div className="row">
            {(['steward', 'supervisor'] as const).map((role) => (
              <Button
                key={role}
                size="compact-sm"
                variant="default"
                leftSection={<Icon name="plus" />}
                loading={creating.isPending}
                onClick={() => creating.mutate(role)}
              >
                {words[role]}
              </Button>
            ))}
          </div>
        )}
        <ErrorLine error={creating.error} />
        {open?.kind === 'code' && (
          <Code
            shift={open.shift}
            isLocalOnly={team.is_local_only}
            onEnd={() => setOpen({ kind: 'end', shift: open.shift })}
            onClose={close}
          />
        )}
        {open?.kind === 'end' && (
          <ConfirmDialog
            title={words.endTitle}
            confirm={words.end}
            destructive
            act={async () => {
              await scopedCall(doorTeam.end, { params: { ...params, shift_id: open.shift.shift_id } });
              await refresh();
            }}
            onClose={close}
          >
            {words.endText}
          </ConfirmDialog>
        )}
        {open?.kind === 'limit' && (
          <Limit eventId={eventId} team={team} onSaved={() => void refresh()} onClose={close} />
        )}
      </section>
      <Badges eventId={eventId} badges={team.badges} onAsked={refresh} />
    </>
  );
}

/** People inside, by gate, and the alarm. */
function Inside({ team: { counts } }: { team: Team }) {
  const { team: words } = useWords('door');
  const { inside, most_inside: most, is_full: isFull } = counts;
  return (
    <>
      <div role="alert">
        {isFull && <Note tone="refused">{words.full({ count: inside, most: most ?? inside })}</Note>}
      </div>
      <dl>
        <Stat
          label={words.inside}
          value={inside}
          hint={most === null ? words.tickets({ count: counts.tickets }) : words.insideOf({ most })}
        />
      </dl>
      <ul className="door-list">
        {counts.gates.map(({ gate, name, entered, left }) => (
          <li key={gate} className="door-list__row">
            <span>{name}</span>
            <span className="quiet">{words.gate({ entered, left })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

type CodeProps = { shift: ShiftRecord; isLocalOnly: boolean; onEnd: () => void; onClose: () => void };

/** For a phone's camera, or to be typed. */
function Code({ shift: { role, code, join_url: url }, isLocalOnly, onEnd, onClose }: CodeProps) {
  const { team: words } = useWords('door');
  const { done } = useWords('door').kiosks;
  return (
    <Dialog onClose={onClose} title={words[role]}>
      <div className="stack">
        <p>{isLocalOnly ? words.local : words.text}</p>
        <Qr text={url ?? ''} label={words.qr} />
        <Copyable value={(url ?? '').replace(/#.*/, '')} label={words.address} />
        <p className="pairing-code" aria-label={words.code} tabIndex={-1} data-autofocus>
          {code}
        </p>
        <div className="dialog-actions">
          <Button variant="subtle" color="refused" onClick={onEnd}>
            {words.end}
          </Button>
          <Button onClick={onClose}>{done}</Button>
        </div>
      </div>
    </Dialog>
  );
}

type LimitProps = { eventId: string; team: Team; onSaved: () => void; onClose: () => void };

function Limit({ eventId, team, onSaved, onClose }: LimitProps) {
  const { team: words } = useWords('door');
  const { actions } = useCommonWords();
  const scopedCall = useScopedCall();
  const form = useForm<{ most_inside: number | string; re_entry: boolean }>({
    name: `door team ${eventId}`,
    read: { most_inside: team.counts.most_inside ?? '', re_entry: team.re_entry },
    version: team.version,
  });
  const { most_inside: most } = form.values;
  const saving = useSaving(form, {
    send: ({ most_inside: changed, ...changes }, version) =>
      scopedCall(doorTeam.change, {
        params: { event_id: eventId },
        body: {
          ...changes,
          ...(changed !== undefined && { most_inside: changed === '' ? null : Number(changed) }),
          version,
        },
      }),
    onSaved() {
      onSaved();
      onClose();
    },
    labels: { most_inside: words.most, re_entry: words.reEntry },
    take: (field, value) => ({ [field]: value ?? '' }),
  });
  return (
    <FormDialog title={words.limit} submit={actions.save} isReady sending={saving} onClose={onClose}>
      <NumberInput
        label={words.most}
        description={words.mostHint}
        data-autofocus
        min={1}
        max={MOST_INSIDE_LIMIT}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={most}
        onChange={(value) => form.set({ most_inside: value })}
      />
      <Checkbox label={words.reEntry} {...form.tick('re_entry')} />
    </FormDialog>
  );
}
