/** Tells the console's pages what to read again: a reader of what commits announce, without a read of its own. */
import type { ChangeTopic } from '../../contract/console/changes.ts';
import type { Database, Topic } from '../../store/sql/port.ts';

export { fromPage } from '../../store/sql/followers.ts';
export { INSTALLATION } from '../../store/sql/port.ts';

/** A burst of frames and steps becomes one event. */
const GATHER_MS = 200;
/** A busy venue announces many times a second. */
const APART_MS = 1_000;

/** By the company's ID. */
const OF_COMPANY = {
  session: 'session',
  attempt: 'webhook',
  webhooks: 'webhook',
  case: 'case',
  usage: 'usage',
  venue: 'venue',
  maintenance: 'maintenance',
  codes: 'codes',
} as const satisfies Partial<Record<Topic, ChangeTopic>>;

type Deps = {
  db: Pick<Database, 'follow'>;
  health: { onChange: (listener: () => void) => () => void };
  /** It begins and ends by the clock. */
  maintenance: { follow: (listener: () => void) => () => void };
};

/**
 * @param audited companies whose acts the audit log shows; by default all
 * @param page what this page's own requests changed is not told to it if their replies show it
 * @returns a function that stops following
 */
export function followChanges(
  { db, health, maintenance }: Deps,
  {
    companyId,
    audited = [undefined],
    page,
  }: {
    companyId: string;
    audited?: readonly (string | undefined)[] | undefined;
    page: string | undefined;
  },
  tell: (topic: ChangeTopic) => void,
): () => void {
  const waiting = new Map<ChangeTopic, NodeJS.Timeout>();
  const toldMs = new Map<ChangeTopic, number>();
  function tellSoon(topic: ChangeTopic): void {
    if (waiting.has(topic)) return;
    const restMs = (toldMs.get(topic) ?? -Infinity) + APART_MS - performance.now();
    const now = () => {
      waiting.delete(topic);
      toldMs.set(topic, performance.now());
      tell(topic);
    };
    waiting.set(topic, setTimeout(now, Math.max(restMs, GATHER_MS)).unref());
  }
  const follow = (of: Topic, topic: ChangeTopic, subject?: string) =>
    db.follow(
      of,
      (isNews, by) => {
        if (isNews && (by === undefined || by !== page)) tellSoon(topic);
      },
      subject,
    );
  const ends = [
    ...Object.entries(OF_COMPANY).map(([of, topic]) => follow(of as Topic, topic, companyId)),
    ...audited.map((subject) => follow('audit', 'audit', subject)),
    health.onChange(() => tellSoon('health')),
    maintenance.follow(() => tellSoon('maintenance')),
  ];
  return () => {
    for (const end of ends) end();
    for (const timer of waiting.values()) clearTimeout(timer);
  };
}
