import { Radio } from '@mantine/core';
import { ROLES, type Role } from '../../../../server/contract/console/common.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';

/** The three roles, each with its permissions. */
export function RoleSelect({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = useWords('operators');
  const { roles } = useCommonWords();
  return (
    <Radio.Group
      label={words.role}
      value={value}
      onChange={(chosen) => {
        const role = ROLES.find((known) => known === chosen);
        if (role !== undefined) onChange(role);
      }}
    >
      <div className="choices">
        {ROLES.map((role) => (
          <Radio key={role} value={role} label={roles[role]} description={words.roleHelp[role]} />
        ))}
      </div>
    </Radio.Group>
  );
}
