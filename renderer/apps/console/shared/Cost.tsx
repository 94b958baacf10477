import type { CostsMessages } from '../../../../locales/types/costs.ts';
import { useWords } from './words.tsx';

/** What a setting that keeps more costs in law and trust: one line below its field. */
export function Cost({ of }: { of: keyof CostsMessages }) {
  return (
    <p className="cost" data-cost={of}>
      {useWords('costs')[of]}
    </p>
  );
}
