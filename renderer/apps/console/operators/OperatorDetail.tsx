import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { operators } from '../../../../server/contract/routes/console/operators.ts';
import type {
  OperatorRecord,
  OperatorWithPassphrase,
} from '../../../../server/contract/console/operators.ts';
import { call } from '../shared/client/api.ts';
import { ConfirmDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { Fact, Facts, TimeFact } from '../shared/lists/DetailDrawer.tsx';
import { putRow } from '../shared/client/put-row.ts';
import { useMe, useScope } from '../shared/client/session.ts';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { Status } from '../shared/states.tsx';
import { ChangeCompanies, ChangeRole } from './ChangeAccess.tsx';
import { MadePassphrase } from './AddOperator.tsx';

/** What is asked for a reason alone. */
const CHANGES = {
  reset: operators.reset,
  factorReset: operators.resetSecondFactor,
  passkeysReset: operators.resetPasskeys,
  disable: operators.disable,
  enable: operators.enable,
} as const;

type Asked = 'role' | 'companies' | keyof typeof CHANGES;

export function OperatorDetail({ operator }: { operator: OperatorRecord }) {
  const words = useWords('operators');
  const { roles } = useCommonWords();
  const client = useQueryClient();
  const isMe = useMe().operator.operator_id === operator.operator_id;
  const [asked, setAsked] = useState<Asked | null>(null);
  const [made, setMade] = useState<OperatorWithPassphrase | null>(null);
  const { companies: all } = useScope();
  const companyNames = operator.company_ids
    ?.map((id) => all.find(({ company_id }) => company_id === id)?.name ?? id)
    .join(', ');
  const params = { operator_id: operator.operator_id };
  const { name } = operator;
  const show = (changed: OperatorRecord) => putRow(client, 'operators', 'operator_id', changed);
  const close = () => setAsked(null);
  const change = async (what: keyof typeof CHANGES, reason: string) => {
    const input = { params, body: { reason } };
    if (what === 'reset') {
      const reply = await call(CHANGES.reset, input);
      setMade(reply);
      show(reply.operator);
    } else show(await call(CHANGES[what], input));
  };

  return (
    <div className="stack">
      <Facts>
        <Fact term={words.role}>{roles[operator.role]}</Fact>
        <Fact term={words.companies}>{companyNames ?? words.companiesAll}</Fact>
        <Fact term={words.state}>
          <OperatorState operator={operator} />
        </Fact>
        {operator.locked_until !== null && <TimeFact term={words.lockedUntil} at={operator.locked_until} />}
        <TimeFact term={words.lastSignIn} at={operator.last_signed_in_at} />
        <Fact term={words.sessions}>{operator.open_sessions}</Fact>
        <Fact term={words.pin}>{operator.has_pin ? words.pinSet : words.pinNone}</Fact>
        <Fact term={words.factor}>{operator.has_second_factor ? words.factorOn : words.factorOff}</Fact>
        {operator.single_sign_on && <Fact term={words.provider}>{words.providerText}</Fact>}
        <Fact term={words.passkeys}>{operator.passkeys}</Fact>
        <TimeFact term={words.created} at={operator.created_at} />
      </Facts>
      {!isMe && (
        <div className="row">
          <Button variant="default" onClick={() => setAsked('role')}>
            {words.change}
          </Button>
          {(all.length > 1 || operator.company_ids !== null) && (
            <Button variant="default" onClick={() => setAsked('companies')}>
              {words.companiesChange}
            </Button>
          )}
          <Button variant="default" onClick={() => setAsked('reset')}>
            {words.reset}
          </Button>
          {operator.has_second_factor && (
            <Button variant="default" onClick={() => setAsked('factorReset')}>
              {words.factorReset}
            </Button>
          )}
          {operator.passkeys > 0 && (
            <Button variant="default" onClick={() => setAsked('passkeysReset')}>
              {words.passkeysReset}
            </Button>
          )}
          {operator.disabled_at === null ? (
            <Button variant="default" c="var(--refused)" onClick={() => setAsked('disable')}>
              {words.disable}
            </Button>
          ) : (
            <Button variant="default" onClick={() => setAsked('enable')}>
              {words.enable}
            </Button>
          )}
        </div>
      )}
      {asked === 'role' && <ChangeRole operator={operator} onChanged={show} onClose={close} />}
      {asked === 'companies' && <ChangeCompanies operator={operator} onChanged={show} onClose={close} />}
      {asked !== null && asked !== 'role' && asked !== 'companies' && (
        <ConfirmDialog
          title={words[`${asked}Title`]({ name })}
          confirm={words[asked]}
          destructive={asked !== 'enable'}
          withReason
          act={(reason) => change(asked, reason)}
          onClose={close}
        >
          {words[`${asked}Text`]}
        </ConfirmDialog>
      )}
      {made !== null && <MadePassphrase made={made} onClose={() => setMade(null)} />}
    </div>
  );
}

/** Whether the operator can currently sign in. */
export function OperatorState({ operator }: { operator: OperatorRecord }) {
  const { states } = useWords('operators');
  const [tone, icon, state] =
    operator.disabled_at !== null
      ? (['quiet', 'dash', 'disabled'] as const)
      : operator.locked_until !== null
        ? (['look', 'lock', 'locked'] as const)
        : (['passed', 'check', 'active'] as const);
  return (
    <Status tone={tone} icon={icon}>
      {states[state]}
    </Status>
  );
}
