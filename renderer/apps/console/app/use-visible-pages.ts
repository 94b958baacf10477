import { isAtLeast } from '../../../../server/contract/console/common.ts';
import { useMe } from '../shared/session.ts';
import { PAGES, type ConsolePage } from './pages.ts';

/** The navigation's pages for the signed-in operator's role and companies, in its order. */
export function useVisiblePages(): readonly ConsolePage[] {
  const { operator, is_limited: isLimited } = useMe();
  return PAGES.filter(
    (page) =>
      page.group !== null &&
      isAtLeast(operator.role, page.role) &&
      !(isLimited && page.installationWide === true),
  );
}
