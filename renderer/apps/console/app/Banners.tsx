import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cleanUpQuery, maintenanceQuery } from '../shared/client/queries.ts';
import { useReachable } from '../shared/client/connection.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { useLive } from '../shared/client/live.tsx';
import { useMe, useScope } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
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

/** Planned maintenance is announced a day ahead. */
const ANNOUNCED_MS = 24 * 3_600_000;

/** Current or upcoming maintenance: staff must know why nobody is let in. */
export function MaintenanceBanner() {
  const { banners } = useCommonWords();
  const { language } = useLanguage();
  const { data, dataUpdatedAt } = useQuery(maintenanceQuery);
  useLive('maintenance', 'maintenance');
  if (data === undefined) return null;
  const time = (at: string) => exactTime(at, language);
  const [next] = data.planned;
  const isSoon = next !== undefined && Date.parse(next.starts_at) - dataUpdatedAt < ANNOUNCED_MS;
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

/** Clean-up is on hold: everyone sees it, and admins get a link to decide. */
export function CleanUpBanner() {
  const { banners } = useCommonWords();
  const { role } = useMe().operator;
  const search = useSearch();
  const { data } = useQuery(cleanUpQuery);
  const reason = data?.put_off ?? null;
  if (reason === null) return null;
  return (
    <Banner icon="clock" tone="look">
      {reason === 'many_faces' ? banners.cleanUpFaces : banners.cleanUpClock}{' '}
      {role === 'admin' ? (
        <Link to="/settings" search={{ ...search, section: 'retention' }} className="text-link">
          {banners.cleanUpReview}
        </Link>
      ) : (
        banners.cleanUpAdmin
      )}
    </Banner>
  );
}

export function TestBanner() {
  const { scope } = useCommonWords();
  return useScope().partition === 'test' ? (
    <Banner icon="flask" tone="test">
      {scope.testNote}
    </Banner>
  ) : null;
}
