import { type ReactNode, Suspense } from 'react';
import { useQuery } from '@tanstack/react-query';
import { lazyPart } from '../../../http/load-part.ts';
import { ANNOUNCED_MS, healthQuery, maintenanceQuery, useTestClock } from '../shared/client/queries.ts';
import { useReachable } from '../shared/client/connection.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { useChanges } from '../shared/client/changes.tsx';
import { useScope } from '../shared/client/session.ts';
import { serverTimeOf } from '../shared/time/server-time.ts';
import { exactTime } from '../shared/time/time.ts';
import { useCommonWords, useLanguage } from '../shared/words.tsx';

function Banner({
  icon,
  tone,
  children,
}: {
  icon: IconName;
  tone: 'look' | 'refused' | 'test';
  children: ReactNode;
}) {
  return (
    <div className="banner" data-tone={tone} role="status">
      <Icon name={icon} />
      <span>{children}</span>
    </div>
  );
}

/**
 * The server is on this machine or in this building: without it nothing works, but without internet everything does.
 */
export function UnreachableBanner() {
  const { banners } = useCommonWords();
  return useReachable() ? null : (
    <Banner icon="offline" tone="refused">
      {banners.unreachable}
    </Banner>
  );
}

/** Current or upcoming maintenance: staff must know why nobody is let in. */
export function MaintenanceBanner() {
  const { banners } = useCommonWords();
  const { language } = useLanguage();
  const { data, dataUpdatedAt } = useQuery(maintenanceQuery);
  useChanges('maintenance', 'maintenance');
  if (data === undefined) return null;
  const time = (at: string) => exactTime(at, language);
  const [next] = data.planned;
  const isSoon =
    next !== undefined && Date.parse(next.starts_at) - serverTimeOf(dataUpdatedAt) < ANNOUNCED_MS;
  if (!data.is_on && !isSoon) return null;
  const notice = data.is_on ? data.notice : next?.notice;
  return (
    <Banner icon="wrench" tone="look">
      {data.is_on &&
        (data.until === null ? banners.maintenance : banners.maintenanceUntil({ time: time(data.until) }))}
      {!data.is_on &&
        next &&
        banners.maintenancePlanned({ from: time(next.starts_at), to: time(next.ends_at) })}
      {notice !== undefined && notice !== '' && ` ${notice}`}
    </Banner>
  );
}

const HealthNote = lazyPart(
  () => import('../health/HealthNote.tsx'),
  'HealthNote',
  () => null,
);

/** The problems of the service, for everyone: the most severe condition, and how many more. Notices are in Settings. */
export function HealthBanner() {
  const { data } = useQuery(healthQuery);
  useChanges('health', 'health');
  const standing = data?.conditions.filter(({ severity }) => severity !== 'notice') ?? [];
  const [first] = standing;
  if (first === undefined) return null;
  return (
    <Banner icon="look" tone={first.severity === 'critical' ? 'refused' : 'look'}>
      <Suspense>
        <HealthNote condition={first} more={standing.length - 1} />
      </Suspense>
    </Banner>
  );
}

/** Which data the pages show, and that its times have been moved. */
export function TestBanner() {
  return useScope().partition === 'test' ? <TestNote /> : null;
}

function TestNote() {
  const { scope } = useCommonWords();
  const aheadS = useTestClock().data?.advanced_seconds ?? 0;
  return (
    <Banner icon="flask" tone="test">
      {scope.testNote}
      {aheadS > 0 && ` ${scope.testAhead({ hours: Math.floor(aheadS / 3_600) })}`}
    </Banner>
  );
}
