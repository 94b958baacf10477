import { Radio } from '@mantine/core';
import { OVERLAPS, type Overlap } from '../../../../server/contract/console/keys.ts';
import { useWords } from './words.tsx';

type Props<Name extends string> = {
  label: string;
  names: readonly Name[];
  texts: Readonly<Record<Name, string>>;
  /** One sentence for each. */
  help?: Readonly<Record<Name, string>>;
  value: Name;
  onChange: (name: Name) => void;
};

/** One of a few names, all of them shown. */
export function Choices<Name extends string>({ label, names, texts, help, value, onChange }: Props<Name>) {
  return (
    <Radio.Group
      label={label}
      value={value}
      onChange={(chosen) => {
        const known = names.find((name) => name === chosen);
        if (known !== undefined) onChange(known);
      }}
    >
      <div className="choices">
        {names.map((name) => (
          <Radio key={name} value={name} label={texts[name]} description={help?.[name]} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** How long the old key or secret keeps working. */
export function OverlapSelect({ value, onChange }: { value: Overlap; onChange: (overlap: Overlap) => void }) {
  const words = useWords('overlap');
  return <Choices label={words.label} names={OVERLAPS} texts={words} value={value} onChange={onChange} />;
}
