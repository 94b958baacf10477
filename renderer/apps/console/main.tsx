import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@fontsource/jetbrains-mono/latin-400.css';
import '../../ui/tokens.css';
import './theme/variables.css';
import './theme/console.css';
import './theme/pieces.css';
import './theme/frame.css';
import './theme/lists.css';
import { directionOf } from '../../i18n/language.ts';
import { startPage } from '../../ui/start-page.tsx';
import { App } from './app/App.tsx';
import { watchActivity } from './shared/client/api.ts';
import { watchLine } from './shared/client/connection.ts';
import { loadStartMessages, startLanguage } from './shared/words.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
startPage({ name: 'console', root }, async () => {
  const language = startLanguage();
  document.documentElement.lang = language;
  // The page may already report its own state.
  if (document.documentElement.dir === '') document.documentElement.dir = directionOf(language);
  watchActivity();
  watchLine();
  await loadStartMessages(language);
  return <App />;
});
