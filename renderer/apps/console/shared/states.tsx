/** Placeholders and small displays: empty, failed, a number, a state. */
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon, type IconName } from './icons.tsx';
import { useErrorText } from './client/error-text.ts';
import { createWaits } from './waits.ts';
import { useCommonWords } from './words.tsx';

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const words = useCommonWords();
  const textOf = useErrorText();
  return (
    <div className="state" role="alert">
      <Icon name="look" size={28} />
      <h2 className="state__title">{words.errors.title}</h2>
      <p>{textOf(error)}</p>
      {retry !== undefined && (
        <Button variant="default" onClick={retry}>
          {words.actions.retry}
        </Button>
      )}
    </div>
  );
}

type UnreadProps = {
  query: { data: unknown; error: unknown; refetch: () => Promise<unknown> };
  /** Shown until it has failed. */
  wait?: ReactNode;
};

/** In place of data that a query has not read. */
export function Unread({ query: { data, error, refetch }, wait }: UnreadProps) {
  if (data !== undefined) return null;
  return error === null ? wait : <ErrorState error={error} retry={() => void refetch()} />;
}

type NoteProps = { tone?: Tone; icon?: IconName; role?: 'status' | 'alert'; children: ReactNode };

/** What somebody should know first. */
export function Note({ tone = 'look', icon = 'look', role, children }: NoteProps) {
  return (
    <p className="note" data-tone={tone} role={role}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  );
}

/** Confirms an action next to where it was done. */
export const Said = ({ children }: { children: ReactNode }) => (
  <Note tone="passed" icon="check" role="status">
    {children}
  </Note>
);

/** One line below a form or a dialog that failed. */
export function ErrorLine({ error }: { error: unknown }) {
  const textOf = useErrorText();
  if (error === null || error === undefined) return null;
  return (
    <p className="error-line" role="alert">
      <Icon name="look" />
      <span>{textOf(error)}</span>
    </p>
  );
}

/** Says what to do next. */
export function EmptyState({
  icon,
  title,
  text,
  action,
}: {
  icon: IconName;
  title: string;
  text: string;
  action?: ReactNode;
}) {
  return (
    <div className="state">
      <Icon name={icon} size={28} />
      <h2 className="state__title">{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  );
}

export type Tone = 'passed' | 'look' | 'refused' | 'action' | 'quiet';

const ICONS: Record<Tone, IconName> = {
  passed: 'check',
  look: 'look',
  refused: 'cross',
  action: 'clock',
  quiet: 'dash',
};

type StatusProps = {
  tone: Tone;
  /** By default the tone's own. */
  icon?: IconName;
  children: ReactNode;
};

/** A state: colour, icon and word, never colour alone. */
export function Status({ tone, icon = ICONS[tone], children }: StatusProps) {
  return (
    <span className="status" data-tone={tone}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

/** One number with its label; `hint` gives the comparison. */
export function Stat({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <div className="stat">
      <dt className="stat__label">{label}</dt>
      <dd className="stat__value">{value}</dd>
      {hint !== undefined && <dd className="stat__hint">{hint}</dd>}
    </div>
  );
}

export function PageHeader({
  title,
  text,
  action,
}: {
  title: string;
  /** One sentence about the purpose of the page. */
  text?: string;
  /** The page's only main action. */
  action?: ReactNode;
}) {
  return (
    <header className="page-header">
      <div>
        <h1>{title}</h1>
        {text !== undefined && <p className="quiet">{text}</p>}
      </div>
      {action !== undefined && <div className="page-header__action">{action}</div>}
    </header>
  );
}

/** The main action of a page with a list. */
export const AddButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Button leftSection={<Icon name="plus" />} onClick={onClick}>
    {children}
  </Button>
);

/** A shorter wait shows nothing, because a flashing skeleton is worse than none. */
const LATE_MS = 300;

/** The clock begins when the page was requested. */
const waits = createWaits(0, () => performance.now());

/** True once something takes noticeably long. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(() => waiting && waits.begin() >= LATE_MS);
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setLate(true), Math.max(0, LATE_MS - waits.begin()));
    return () => {
      clearTimeout(timer);
      waits.end();
      setLate(false);
    };
  }, [waiting]);
  return waiting && late;
}

/** In place of a page whose code or data is on the way. */
export function PageSkeleton() {
  const { table } = useCommonWords();
  return (
    useLate(true) && (
      <div className="page-skeleton" aria-busy="true">
        <span className="skeleton" />
        {Array.from({ length: SKELETON_LINES }, (_line, place) => (
          <span key={place} className="skeleton" aria-hidden="true" />
        ))}
        <p className="visually-hidden">{table.loading}</p>
      </div>
    )
  );
}

const SKELETON_LINES = 6;
