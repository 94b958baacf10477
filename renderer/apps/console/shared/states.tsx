/** What stands where content is not: nothing yet, something failed, a number, a state. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { RequestError } from '../../../http/request-error.ts';
import { Icon, type IconName } from './icons.tsx';
import { useCommonWords } from './words.tsx';
import type { ConsoleMessages } from '../../../../locales/types/console.ts';

const SECONDS_PER_MINUTE = 60;

/** What went wrong and what to do, in the page's language; the server's own words where it knows better. */
export function errorInWords(error: unknown, words: ConsoleMessages): string {
  if (!(error instanceof RequestError)) return words.errors.server;
  if (error.status === 0) return words.errors.unreachable;
  if (error.code === 'role_too_low') return words.errors.forbidden;
  if (error.code === 'installation_wide') return words.errors.limited;
  if (error.code === 'not_found') return words.errors.notFound;
  if (error.code === 'sign_in_failed') return words.signIn.wrong;
  if (error.code === 'wrong_code') return words.signIn.codeWrong;
  if (error.code === 'locked_out') {
    return words.signIn.locked({
      minutes: Math.max(1, Math.ceil((error.retryAfterS ?? 0) / SECONDS_PER_MINUTE)),
    });
  }
  if (error.status === 429) return words.errors.busy;
  const { message } = error.facts;
  return typeof message === 'string' && message !== '' ? message : words.errors.server;
}

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const words = useCommonWords();
  return (
    <div className="state" role="alert">
      <Icon name="look" size={28} />
      <h2 className="state__title">{words.errors.title}</h2>
      <p>{errorInWords(error, words)}</p>
      {retry !== undefined && (
        <Button variant="default" onClick={retry}>
          {words.actions.retry}
        </Button>
      )}
    </div>
  );
}

/** One line under a form or a dialog that failed. */
export function ErrorLine({ error }: { error: unknown }) {
  const words = useCommonWords();
  if (error === null || error === undefined) return null;
  return (
    <p className="error-line" role="alert">
      <Icon name="look" />
      <span>{errorInWords(error, words)}</span>
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

/** A state: colour, icon and word, never colour alone. */
export function Status({ tone, icon, children }: { tone: Tone; icon: IconName; children: ReactNode }) {
  return (
    <span className="status" data-tone={tone}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

/** One number with what it counts; `hint` says what it is measured against. */
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
  /** One sentence on what the page is for. */
  text?: string;
  /** The page's one main action. */
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
