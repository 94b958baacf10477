/** One screen of the kiosk: text above, actions in the lower half, within a child's reach. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '../../../ui/Icon.tsx';

export type Tone = 'plain' | 'passed' | 'look' | 'refused';

export type ScreenProps = {
  title: string;
  icon?: IconName;
  tone?: Tone;
  /** The tone fills the screen, for staff behind the person. */
  isFilled?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
};

export function Screen({ title, icon, tone = 'plain', isFilled = false, children, actions }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The heading gets the focus for screen readers and the keyboard, unless there is a field to type into.
  useEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement))
      heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <section className={`screen screen--${tone}${isFilled ? ' screen--filled' : ''}`}>
      <div className="screen__body">
        {icon && (
          <span className="mark">
            <Icon name={icon} size={48} />
          </span>
        )}
        <h1 ref={heading} tabIndex={-1} data-say>
          {title}
        </h1>
        {children}
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
