/** One screen: a mark, a heading that takes the focus, content, and actions within the thumb's reach. */
import type { Snapshot } from '../../../server/contract/flow.ts';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { LeadId } from '../../ui/Lead.tsx';
import { ownPageOf } from '../../flow/link.ts';
import type { Tone } from '../../flow/routing.ts';
import { useWords } from './messages-context.ts';

type ScreenProps = {
  title: string;
  icon?: IconName;
  tone?: Tone;
  children?: ReactNode;
  actions?: ReactNode;
};

export function Screen({ title, icon, tone = 'plain', children, actions }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const leadId = useId();
  // Each screen begins at its top, and its heading gets the focus, for screen readers and the keyboard: before a key can be pressed.
  useLayoutEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="screen">
      <div className="screen__body">
        {icon && (
          <span className={`mark mark--${tone}`}>
            <Icon name={icon} size={32} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} aria-describedby={leadId}>
          {title}
        </h1>
        <LeadId value={leadId}>{children}</LeadId>
      </div>
      {actions && <div className="screen__actions">{actions}</div>}
    </section>
  );
}

/** A call in progress: what is happening, in words, with an unobtrusive indicator. */
export function Waiting({ title, text }: { title: string; text?: string | undefined }) {
  return (
    <section className="screen screen--waiting" role="status">
      <div className="screen__body">
        <span className="spinner" aria-hidden="true" />
        <h1>{title}</h1>
        {text && <p className="lead">{text}</p>}
      </div>
    </section>
  );
}

type OwnPageLinkProps = {
  snapshot: Snapshot | null;
  /** The run is over and this page has no other target, so the link opens in the same tab. */
  staysHere?: boolean;
  onOpen?: () => void;
};

/**
 * Link to the guest's own data: opens another tab while this one still holds a run. Where nothing could prove on that page whose
 * data it is, the organiser's contact stands here.
 */
export function OwnPageLink({ snapshot, staysHere = false, onOpen }: OwnPageLinkProps) {
  const { messages } = useWords();
  const proof = snapshot?.result?.own_data;
  if (snapshot && proof === undefined && snapshot.phone === null) {
    const { organiser, privacy_contact: contact } = snapshot.branding;
    return (
      <p className="own-page">
        {contact === undefined
          ? messages.ownDataAsk({ organiser })
          : messages.ownDataContact({ organiser, contact })}
      </p>
    );
  }
  return (
    <p className="own-page">
      <a
        href={ownPageOf(proof)}
        {...(staysHere ? {} : { target: '_blank', rel: 'noopener' })}
        onClick={onOpen}
      >
        {messages.ownData}
        {!staysHere && <span className="visually-hidden"> ({messages.opensNewTab})</span>}
      </a>
    </p>
  );
}
