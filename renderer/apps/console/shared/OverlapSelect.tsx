import { Radio } from '@mantine/core';
import { OVERLAPS, type Overlap } from '../../../../server/contract/console/keys.ts';
import { useWords } from './words.tsx';

/** How long the old key or secret keeps working. */
export function OverlapSelect({ value, onChange }: { value: Overlap; onChange: (overlap: Overlap) => void }) {
  const words = useWords('overlap');
  return (
    <Radio.Group
      label={words.label}
      value={value}
      onChange={(chosen) => {
        const overlap = OVERLAPS.find((known) => known === chosen);
        if (overlap !== undefined) onChange(overlap);
      }}
    >
      <div className="choices">
        {OVERLAPS.map((overlap) => (
          <Radio key={overlap} value={overlap} label={words[overlap]} />
        ))}
      </div>
    </Radio.Group>
  );
}
