/** The door: the running event's numbers, current guests, and the actions of staff. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { DoorAgain, DoorView } from '../../../../server/contract/console/door.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { Icon } from '../shared/icons.tsx';
import { EmptyState, ErrorLine, ErrorState, PageHeader, PageSkeleton, Stat } from '../shared/states.tsx';
import { useScopeFilter, useMay } from '../shared/client/session.ts';
import { useChangeSearch, useSearch } from '../shared/lists/search.ts';
import { useCommonWords, useWords, useLanguage } from '../shared/words.tsx';
import { useFirstKiosk } from '../shared/client/queries.ts';
import { clockTime } from '../shared/time/time.ts';
import { useOpenRow } from '../shared/lists/DetailDrawer.tsx';
import { useAlerts } from './alerts.ts';
import { splitLatest } from './results.ts';
import { DoorTeam } from './DoorTeam.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { JoinKiosk } from './JoinKiosk.tsx';
import { KiosksPanel } from './KiosksPanel.tsx';
import { useHasDraft } from '../shared/forms/use-form.ts';
import { NEW_KIOSK_DRAFT, NewCode, PairKiosk } from './PairKiosk.tsx';
import { type AskedRun, NewCheck, RunDialog } from './RunActions.tsx';
import { AsksStaff, LatestResult, RunList } from './RunList.tsx';
import { UnderWay } from './UnderWay.tsx';
import { firstStepsOf, useDoor, useDoorCodes } from './use-door.ts';
import { FreeKiosks, WalkUpMenu } from './WalkUpMenu.tsx';
import './door.css';

export { prefetch } from './use-door.ts';

const SessionDrawer = lazy(async () => ({
  default: (await import('../sessions/SessionDrawer.tsx')).SessionDrawer,
}));

export function Page() {
  const words = useWords('door');
  const common = useCommonWords();
  const search = useSearch();
  const query = useDoor(search['event']);
  // All reads of the page at once, instead of one after the other.
  const codes = useDoorCodes();
  const isAdmin = useMay('admin');
  const steps = useQuery({ ...firstStepsOf(useScopeFilter()), enabled: isAdmin });
  // Panels that come later would move those below them away under the pointer.
  if (query.data === undefined || !codes.isFetched || (isAdmin && !steps.isFetched)) {
    return (
      <>
        <PageHeader title={common.pages.door} text={words.text} />
        {query.error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )}
      </>
    );
  }
  return <Door view={query.data} readAt={query.dataUpdatedAt} codes={codes} />;
}

type DoorProps = { view: DoorView; readAt: number; codes: ReturnType<typeof useDoorCodes> };

function Door({ view, readAt, codes }: DoorProps) {
  const words = useWords('door');
  const common = useCommonWords();
  const { newest, before } = splitLatest(view.latest, view.cap.is_reached);
  const asking = view.under_way.filter(({ asks_staff }) => asks_staff);
  const row = useOpenRow();
  /** The kiosk to pair with a device; null for a new one. */
  const hasDraft = useHasDraft();
  const [pairing, setPairing] = useState<{ kiosk: KioskRecord | null } | null>(() =>
    hasDraft(NEW_KIOSK_DRAFT) ? { kiosk: null } : null,
  );
  const pairNew = () => setPairing({ kiosk: null });
  // The first start leaves a kiosk without a device; a second one would be unused.
  const pairFirst = () =>
    setPairing({ kiosk: view.kiosks.find((kiosk) => kiosk.paired_at === null) ?? null });
  const [asked, setAsked] = useState<AskedRun | null>(null);
  const [made, setMade] = useState<DoorAgain | null>(null);
  const isAdmin = useMay('admin');
  const first = useFirstKiosk();
  const { company_id: company, partition } = useScopeFilter();
  const alerts = useAlerts(view, `${company} ${partition} ${view.event?.event_id ?? ''}`);
  return (
    <>
      <PageHeader
        title={common.pages.door}
        text={view.event === null ? words.noEvent : view.event.name}
        action={
          <div className="row door__actions">
            <FreeKiosks kiosks={view.kiosks} />
            <EventChoice view={view} />
            <Button
              variant={alerts.isOn ? 'light' : 'default'}
              leftSection={<Icon name="bell" />}
              aria-pressed={alerts.isOn}
              onClick={alerts.toggle}
            >
              {alerts.isOn ? words.soundOn : words.soundOff}
            </Button>
            <WalkUpMenu kiosks={view.kiosks} onPair={pairFirst} />
          </div>
        }
      />
      {view.cap.is_reached && <CapBanner cap={view.cap} />}
      <div className="door">
        <section className="door__main" aria-labelledby="door-latest">
          <h2 id="door-latest" className="visually-hidden">
            {words.latest}
          </h2>
          {asking.map((run) => (
            <AsksStaff key={run.session_id} run={run} onAsk={setAsked} />
          ))}
          {newest === undefined ? (
            <div className="panel">
              <EmptyState icon="door" title={words.nobodyTitle} text={words.nobodyText} />
            </div>
          ) : (
            <LatestResult run={newest} onAsk={setAsked} />
          )}
          <Numbers view={view} />
          {before.length > 0 && <RunList runs={before} onAsk={setAsked} />}
        </section>
        <div className="door__side">
          <KiosksPanel kiosks={view.kiosks} readAt={readAt} onPair={pairNew} />
          <CodesPanel codes={codes} />
          <UnderWay runs={view.under_way} />
          {isAdmin && <FirstSteps kiosks={view.kiosks} onPair={pairFirst} />}
          {/* Last, because it comes later than the others and would move them. */}
          {view.event !== null && <DoorTeam eventId={view.event.event_id} />}
        </div>
      </div>
      {row.openId !== undefined && (
        <Suspense fallback={null}>
          <SessionDrawer id={row.openId} onClose={row.close} />
        </Suspense>
      )}
      {asked !== null && <RunDialog asked={asked} onMade={setMade} onClose={() => setAsked(null)} />}
      {made !== null && <NewCheck made={made} onClose={() => setMade(null)} />}
      {pairing?.kiosk === null && (
        <PairKiosk eventId={view.event?.event_id ?? null} onClose={() => setPairing(null)} />
      )}
      {pairing?.kiosk && <NewCode kiosk={pairing.kiosk} onClose={() => setPairing(null)} />}
      {first.kiosk !== null && <JoinKiosk made={first.kiosk} onClose={first.forget} />}
    </>
  );
}

/** One banner for everybody, instead of a denial for each guest. */
function CapBanner({ cap: { daily_limit: limit, ends_at: endsAt } }: Pick<DoorView, 'cap'>) {
  const words = useWords('door');
  const { language } = useLanguage();
  return (
    <div className="note door__cap" data-tone="look" role="alert">
      <Icon name="look" />
      <div>
        <strong>{words.capTitle({ limit })}</strong>
        <p>{words.capText({ time: clockTime(endsAt, language) })}</p>
      </div>
    </div>
  );
}

function Numbers({ view: { counts, last_hour, open_cases, under_way } }: { view: DoorView }) {
  const { numbers } = useWords('door');
  const { names, counts: labels } = useWords('outcomes');
  return (
    <dl className="door__numbers" aria-label={numbers.label}>
      <Stat
        label={labels.letIn}
        value={counts.passed + counts.passed_again + counts.flagged}
        hint={numbers.lastHour({ count: last_hour })}
      />
      <Stat
        label={labels.turnedAway}
        value={counts.turned_away}
        hint={labels.declined({ count: counts.declined })}
      />
      <Stat label={names.in_review} value={open_cases} />
      <Stat label={names.open} value={under_way.length} />
    </dl>
  );
}

/** Only if several run at once, or another one was requested. */
function EventChoice({ view: { event, running } }: { view: DoorView }) {
  const words = useWords('door');
  const change = useChangeSearch();
  const choices = running.map(({ event_id, name }) => ({ value: event_id, label: name }));
  if (event !== null && !choices.some(({ value }) => value === event.event_id)) {
    choices.push({ value: event.event_id, label: event.name });
  }
  if (choices.length < 2) return null;
  return (
    <NativeSelect
      aria-label={words.event}
      value={event?.event_id ?? ''}
      data={choices}
      onChange={({ currentTarget: { value } }) => change({ event: value })}
    />
  );
}

/** Phone codes to read out; used codes are removed. */
function CodesPanel({ codes: { data, error } }: { codes: ReturnType<typeof useDoorCodes> }) {
  const { codes: words } = useWords('door');
  const { language } = useLanguage();
  const items = data?.items ?? [];
  return (
    <section className="panel" aria-labelledby="door-codes">
      <h2 id="door-codes">{words.title}</h2>
      {data === undefined && <ErrorLine error={error} />}
      {data?.read_out === false && <p className="quiet">{words.sent}</p>}
      <div aria-live="polite">
        {items.length > 0 && (
          <ul className="door-list">
            {items.map(({ code_id, number, code, ends_at }) => (
              <li key={code_id} className="door-list__row">
                <span className="code-to-read">{`${code.slice(0, 3)} ${code.slice(3)}`}</span>
                <div className="door-list__end quiet">
                  <span>{number}</span>
                  <span>{words.until({ time: clockTime(ends_at, language) })}</span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {data !== undefined && items.length === 0 && <p className="quiet">{words.none}</p>}
    </section>
  );
}
