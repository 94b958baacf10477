/** The text below a screen's heading: a screen reader reads it after the heading, which has the focus. */
import { createContext, useContext, type ComponentProps } from 'react';

/** The ID by which the heading refers to the text. */
export const LeadId = createContext<string | undefined>(undefined);

export function Lead(props: ComponentProps<'p'>) {
  return <p id={useContext(LeadId)} className="lead" {...props} />;
}

/** Several sentences instead of one. */
export function LeadList(props: ComponentProps<'ul'>) {
  return <ul id={useContext(LeadId)} {...props} />;
}
