import { Navigate } from '@tanstack/react-router';
import { useSearch } from '../shared/search.ts';
import { scopeSearch } from '../shared/session.ts';
import { useVisiblePages } from './use-visible-pages.ts';

/** The first page of the navigation that the operator may see. */
export function Home() {
  const [first] = useVisiblePages();
  return <Navigate to={first?.path ?? '/account'} search={scopeSearch(useSearch())} replace />;
}
