import { Button, type ButtonProps } from '@mantine/core';
import { type ComponentProps, useId } from 'react';
import { useCommonWords } from '../words.tsx';

/** Why a form can't be sent yet, by its words in the catalogue. */
export type Obstacle = 'unchanged' | 'incomplete' | 'needsReason' | 'needsName' | 'outOfRange' | 'tick';

type Props = Omit<ButtonProps, 'disabled' | 'type'> & {
  /** Null: it can be sent. */
  obstacle: Obstacle | null;
  /** Instead of sending a form. */
  onClick?: () => void;
};

/** The button of a form. While it can't be pressed, the reason stands beside it, in a place of its own. */
export function Submit({ obstacle, onClick, ...button }: Props) {
  const { obstacles } = useCommonWords();
  const id = useId();
  return (
    <>
      <span id={id} className="submit__why quiet">
        {obstacle !== null && obstacles[obstacle]}
      </span>
      <Button
        {...button}
        type={onClick === undefined ? 'submit' : 'button'}
        {...(onClick !== undefined && { onClick })}
        disabled={obstacle !== null}
        aria-describedby={id}
      />
    </>
  );
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

/** A form that is sent by a call instead of by the browser. */
export function Form({ className = 'stack', onSubmit, ...form }: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...form}
    />
  );
}
