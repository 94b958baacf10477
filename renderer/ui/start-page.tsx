/** Starts a page so that no error leaves it blank: uncaught errors are reported and shown. */
import { Component, StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { PageName } from '../../server/contract/page-errors.ts';
import { Crash } from './Crash.tsx';
import { reportPageError, watchPageErrors } from './page-errors.ts';

type StartedPage = { name: PageName; root: HTMLElement };

/** @param start prepares the page and returns its content; its errors are shown to the person */
export function startPage({ name, root }: StartedPage, start: () => ReactNode | Promise<ReactNode>): void {
  watchPageErrors(name);
  const isUnattended = name === 'kiosk';
  const show = (content: ReactNode) =>
    createRoot(root).render(
      <StrictMode>
        <ErrorBoundary isUnattended={isUnattended}>{content}</ErrorBoundary>
      </StrictMode>,
    );
  const report = (error: unknown) => {
    reportPageError('start', error);
    show(<Crash error={error} isUnattended={isUnattended} />);
  };
  try {
    const content = start();
    if (content instanceof Promise) content.then(show, report);
    else show(content);
  } catch (error) {
    report(error);
  }
}

type BoundaryProps = { isUnattended: boolean; children: ReactNode };

/** React has no hook for this. */
class ErrorBoundary extends Component<BoundaryProps, { failure: { error: unknown } | null }> {
  override state: { failure: { error: unknown } | null } = { failure: null };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidCatch(error: unknown): void {
    reportPageError('render', error);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return <Crash error={failure.error} isUnattended={this.props.isUnattended} />;
  }
}
