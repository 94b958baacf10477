/** Line icons, drawn here so that no file or font has to be loaded. Decorative: each has a word next to it. */
export const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 7.5V12l3 2M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 0 1 6-.8M5.5 12.3a9.5 9.5 0 0 1 4-2.3M13.8 9.3a9.5 9.5 0 0 1 4.7 3M12 19h.01',
  camera: 'M4 8.5h3.2L9 6h6l1.8 2.5H20V18H4zM12 16a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  phone: 'M8 3.5h8a1 1 0 0 1 1 1v15a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1zM11 17.5h2',
  flask: 'M10 4v5.5L5 18.5a1 1 0 0 0 .9 1.5h12.2a1 1 0 0 0 .9-1.5L14 9.5V4M8.5 4h7',
  repeat: 'M5 12a7 7 0 0 1 12-4.9L19 9M19 5v4h-4M19 12a7 7 0 0 1-12 4.9L5 15M5 19v-4h4',
  info: 'M12 11v5M12 8h.01M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z',
  people:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3.5 19c0-3 2.4-5 5.5-5s5.5 2 5.5 5M15.5 5.3a3 3 0 0 1 0 5.4M17 14.3c2.1.6 3.5 2.3 3.5 4.7',
  hand: 'M8 12V6.5a1.5 1.5 0 0 1 3 0V11m0-6a1.5 1.5 0 0 1 3 0v6m0-4.5a1.5 1.5 0 0 1 3 0V14c0 4-2.2 6.5-5.5 6.5-2.5 0-4-1-5.5-3.5L3.8 13.6a1.5 1.5 0 0 1 2.4-1.8L8 14',
  code: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  lock: 'M6.5 11h11v8.5h-11zM9 11V8a3 3 0 0 1 6 0v3',
  door: 'M6 20V5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v15M4 20h16M14 12h.01',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name, size = 22 }: { name: IconName; size?: number }) => (
  <LineIcon path={PATHS[name]} size={size} stroke={1.8} />
);

/** One line drawing on a square of 24, in the colour of the text next to it. */
export function LineIcon({ path, size, stroke }: { path: string; size: number; stroke: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
