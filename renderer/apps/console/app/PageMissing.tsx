import { useEffect } from 'react';
import { reportPageError } from '../../../ui/page-errors.ts';
import { ErrorState, EmptyState } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';

export function PageMissing() {
  const { errors } = useCommonWords();
  return <EmptyState icon="search" title={errors.pageMissing} text={errors.pageMissingText} />;
}

export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  useEffect(() => reportPageError('render', error), [error]);
  return <ErrorState error={error} retry={reset} />;
}
