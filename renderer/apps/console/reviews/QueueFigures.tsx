import { Stat } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';
import { Duration } from './Age.tsx';
import { useFigures } from '../shared/review-figures.ts';

/** Queue age and throughput. */
export function QueueFigures() {
  const { figures: words } = useWords('reviews');
  const { data } = useFigures();
  const duration = (ms: number | null = null) => (ms === null ? words.none : <Duration ms={ms} />);
  return (
    <section className="figures" aria-label={words.label}>
      <dl>
        <Stat
          label={words.waiting}
          value={data?.waiting ?? words.none}
          hint={words.held({ count: data?.held ?? 0 })}
        />
      </dl>
      <dl>
        <Stat label={words.oldest} value={duration(data?.oldest_ms)} />
      </dl>
      <dl>
        <Stat
          label={words.hour}
          value={data?.decided_hour ?? words.none}
          hint={words.day({ count: data?.decided_day ?? 0 })}
        />
      </dl>
      <dl>
        <Stat label={words.mean} value={duration(data?.mean_wait_ms)} hint={words.meanHint} />
      </dl>
    </section>
  );
}
