import { Drawer } from '@mantine/core';
import { useCommonWords } from '../shared/words.tsx';
import { Navigation } from './Navigation.tsx';

/** The navigation of narrow screens, over the page. */
export function NavigationDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { navigation: words } = useCommonWords();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={280}
      title="Gatehouse"
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <nav aria-label={words.label}>
        <Navigation onNavigate={onClose} />
      </nav>
    </Drawer>
  );
}
