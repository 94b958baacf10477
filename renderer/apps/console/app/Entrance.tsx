import type { ReactNode } from 'react';
import { Icon } from '../shared/icons.tsx';
import { LanguageSelect } from './LanguageSelect.tsx';

/** The page before the console, with a single panel in the middle. */
export function Entrance({
  title,
  wide = false,
  banner,
  children,
}: {
  title: string;
  wide?: boolean;
  banner?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="entrance">
      {banner}
      <main className="entrance__panel" data-wide={wide}>
        <p className="brand">
          <Icon name="door" />
          Gatehouse
        </p>
        <h1>{title}</h1>
        {children}
      </main>
      <footer className="entrance__foot">
        <LanguageSelect />
      </footer>
    </div>
  );
}
