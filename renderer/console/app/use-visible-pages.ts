import { isAtLeast } from '../../../server/contract/console/common.ts';
import { useMe } from '../shared/session.ts';
import { PAGES, type ConsolePage } from './pages.ts';

/** The navigation's pages for the role of whoever is signed in, in its order. */
export function useVisiblePages(): readonly ConsolePage[] {
  const { role } = useMe().operator;
  return PAGES.filter((page) => page.group !== null && isAtLeast(role, page.role));
}
