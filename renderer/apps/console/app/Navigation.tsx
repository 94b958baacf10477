import { Link } from '@tanstack/react-router';
import { Icon } from '../shared/icons.tsx';
import { useFigures } from '../shared/client/queries.ts';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch } from '../shared/client/session.ts';
import { useCommonWords } from '../shared/words.tsx';
import { useVisiblePages } from './pages.ts';

const GROUPS = ['work', 'build', 'manage'] as const;

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const words = useCommonWords();
  const pages = useVisiblePages();
  const waiting = useFigures().data?.waiting ?? 0;
  const search = scopeSearch(useSearch());
  return GROUPS.map((group) => pages.filter((page) => page.group === group))
    .filter((group) => group.length > 0)
    .map((group) => (
      <ul key={group[0]?.id} className="nav-group">
        {group.map(({ id, path }) => (
          <li key={id}>
            <Link
              to={path}
              search={search}
              className="nav-link"
              activeOptions={{ includeSearch: false }}
              {...(onNavigate === undefined ? {} : { onClick: onNavigate })}
            >
              <Icon name={id} />
              {words.pages[id]}
              {id === 'reviews' && waiting > 0 && (
                <span className="nav-link__count">
                  {waiting}
                  <span className="visually-hidden"> {words.navigation.waiting}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    ));
}
