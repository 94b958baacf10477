/** Line icons of the console, drawn here. Decorative: each has a word or a label next to it. */
import { LineIcon } from '../../../ui/Icon.tsx';

const PATHS = {
  door: 'M6 20V5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v15M4 20h16M14 12h.01',
  events:
    'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM4 10.5h16M8 3.5V8M16 3.5V8',
  reviews: 'M9 8a3 3 0 1 0 0 .01M3.5 19a5.5 5.5 0 0 1 11 0M16 11l2 2 3.5-4',
  sessions: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.3M18 14a6 6 0 0 1 3.5 6',
  keys: 'M8 12a4 4 0 1 0 0 .01M12 12h9v3.5M17.5 12v3',
  webhooks:
    'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  usage: 'M4 20h16M7 20v-6M12 20V5M17 20v-9',
  verifications: 'M12 3.5l7 2.5v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6zM9 12l2.2 2.2L15.5 10',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h4M12 12h8M10 10v4',
  operators:
    'M4 6a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM9.5 11.5a1.8 1.8 0 1 0 0-.01M6.5 16a3 3 0 0 1 6 0M15 10h2.5M15 14h2.5',
  audit: 'M7 3.5h7l4 4V20a.5.5 0 0 1-.5.5h-10A.5.5 0 0 1 7 20zM14 3.5V8h4M10 12h5M10 16h5',
  account: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  clock: 'M12 7.5V12l3 2M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  look: 'M12 4L2.8 20h18.4zM12 10v4.5M12 17.2h.01',
  info: 'M12 11v5M12 8h.01M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  bell: 'M6 16.500h12l-1.500-2.500V10a4.500 4.500 0 0 0-9 0v4zM10 19.500h4',
  dash: 'M6 12h12',
  circle: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 6-.8M5.5 12.3a9.5 9.5 0 0 1 4-2.3M13.8 9.3a9.5 9.5 0 0 1 4.7 3M12 19h.01',
  wrench:
    'M20 7.5a4.5 4.5 0 0 1-6 4.2L7 18.8a1.9 1.9 0 0 1-2.8-2.7l7.1-7A4.5 4.5 0 0 1 16.500 3.500L14 6l1 3 3 1z',
  flask: 'M10 4v5.5L5 18.5a1 1 0 0 0 .9 1.500h12.200a1 1 0 0 0 .9-1.500L14 9.500V4M8.500 4h7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.200 16.200L20.500 20.500',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  chevron: 'M7 10l5 5 5-5',
  plus: 'M12 5v14M5 12h14',
  out: 'M14 4.500H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10 12h10.500M17 8.500l3.500 3.500-3.500 3.500',
  download: 'M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <LineIcon path={PATHS[name]} size={size} stroke={1.7} />
);
