import type { ReactNode } from 'react';
import { useReachable } from '../shared/connection.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { useScope } from '../shared/session.ts';
import { useCommonWords } from '../shared/words.tsx';

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

/** The server is on this machine or in this house: without it nothing works, with no network everything does. */
export function UnreachableBanner() {
  const { banners } = useCommonWords();
  return useReachable() ? null : (
    <Banner icon="offline" tone="refused">
      {banners.unreachable}
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
