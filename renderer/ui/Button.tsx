import type { ComponentProps } from 'react';

/** The main action of a screen, another one, or one that should not draw attention. */
type Props = Omit<ComponentProps<'button'>, 'className'> & { look: 'main' | 'side' | 'quiet' };

export const Button = ({ look, ...props }: Props) => (
  <button type="button" className={`button button--${look}`} {...props} />
);
