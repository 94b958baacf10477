import { Link } from '@tanstack/react-router';
import type { HealthCondition } from '../../../../server/contract/console/health.ts';
import { useMe } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { useWords } from '../shared/words.tsx';
import { useConditionText } from './condition-text.ts';

/** A condition in the banner of every page: admins get a link to what to do, others whom to tell. */
export function HealthNote({ condition, more }: { condition: HealthCondition; more: number }) {
  const words = useWords('health');
  const whatOf = useConditionText();
  const { role } = useMe().operator;
  const search = useSearch();
  const isCleanUp = condition.code === 'retention_put_off';
  return (
    <>
      {whatOf(condition)} {more > 0 && `${words.more({ count: more })} `}
      {role === 'admin' ? (
        <Link
          to="/settings"
          search={{ ...search, section: isCleanUp ? 'retention' : 'system' }}
          className="text-link"
        >
          {isCleanUp ? words.review : words.open}
        </Link>
      ) : isCleanUp ? (
        words.confirm
      ) : (
        words.staff
      )}
    </>
  );
}
