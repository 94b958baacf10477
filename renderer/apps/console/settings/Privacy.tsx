/** The papers that data protection law asks for. */
import { Link } from '@tanstack/react-router';
import { scopeSearch } from '../shared/client/session.ts';
import { useSearch } from '../shared/lists/search.ts';
import { useWords } from '../shared/words.tsx';
import { Panel } from './Section.tsx';

const PAPERS = ['record', 'assessment'] as const;

export function Privacy() {
  const { papers: words } = useWords('settings');
  const search = scopeSearch(useSearch());
  return (
    <Panel title={words.title} text={words.text}>
      <ul className="settings__papers">
        {PAPERS.map((paper) => (
          <li key={paper}>
            <Link to={`/settings/papers/${paper}`} search={search} className="text-link">
              {words.names[paper]}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
