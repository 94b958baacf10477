/** One screen of the kiosk: text above, actions in the lower half, within a child's reach. */
import { guestNumber } from '../../../../server/contract/guest-number.ts';
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import type { Tone } from '../../../flow/routing.ts';
import { Icon, type IconName } from '../../../ui/Icon.tsx';
import { LeadId } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';

type ScreenProps = {
  title: string;
  icon?: IconName;
  tone?: Tone;
  /** The tone fills the screen, for staff behind the person. */
  isFilled?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
};

/** Gives a screen's heading the focus, for screen readers and the keyboard, unless there is a field to type into. */
export function useFocusedHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement))
      heading.current?.focus({ preventScroll: true });
  }, [title]);
  return heading;
}

export function Screen({ title, icon, tone = 'plain', isFilled = false, children, actions }: ScreenProps) {
  const heading = useFocusedHeading(title);
  const leadId = useId();
  return (
    <section className={`screen screen--${tone}${isFilled ? ' screen--filled' : ''}`}>
      <div className="screen__body">
        {icon && (
          <span className="mark">
            <Icon name={icon} size={48} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} aria-describedby={leadId} data-say>
          {title}
        </h1>
        <LeadId value={leadId}>{children}</LeadId>
      </div>
      {actions && <div className="screen__actions">{actions}</div>}
    </section>
  );
}

/** Waiting for someone else, in words. */
export function Waiting({ title, text }: { title: string; text?: string }) {
  return (
    <section className="screen screen--waiting" role="status">
      <div className="screen__body">
        <span className="spinner" aria-hidden="true" />
        <h1 data-say>{title}</h1>
        {text !== undefined && (
          <p className="lead" data-say>
            {text}
          </p>
        )}
      </div>
    </section>
  );
}

/** The same number as on the door, so that staff know which guest stands before them. */
export function GuestNumber({ sessionId }: { sessionId: string }) {
  const { words } = useKiosk();
  return (
    <p className="guest-number" data-say>
      {words.guestNumber({ number: guestNumber(sessionId) })}
    </p>
  );
}
