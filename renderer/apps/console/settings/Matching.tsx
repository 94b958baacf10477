import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import type { MatchingSettings } from '../../../../server/contract/console/settings.ts';
import { call } from '../shared/client/api.ts';
import { FormDialog } from '../shared/dialogs/ConfirmDialog.tsx';
import { isReason, Reason } from '../shared/dialogs/reason.tsx';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { scopeQuery, useScope } from '../shared/client/session.ts';
import { Stat } from '../shared/states.tsx';
import { useLanguage, useWords } from '../shared/words.tsx';
import { SecondOpinion } from './SecondOpinion.tsx';
import { Panel, WithSetting } from './Section.tsx';
import { Submit } from '../shared/forms/Submit.tsx';

const STEP = 0.01;

export function Matching() {
  const query = scopeQuery(useScope());
  return (
    <WithSetting
      name={['matching', query.company_id, query.partition]}
      read={(signal) => call(settings.matching, { query, signal })}
    >
      {(matching, put) => <MatchingPanels matching={matching} put={put} query={query} />}
    </WithSetting>
  );
}

function MatchingPanels({
  matching,
  put,
  query,
}: {
  matching: MatchingSettings;
  put: (next: MatchingSettings) => void;
  query: Readonly<Record<string, string>>;
}) {
  const { matching: words } = useWords('settings');
  const { names } = useWords('outcomes');
  const { language } = useLanguage();
  const form = useForm({
    name: 'matching margin',
    read: { margin: matching.margin, reason: '' },
    version: matching.version,
  });
  const { margin, reason } = form.values;
  const [asked, setAsked] = useState(false);
  const number = (value: number, digits = 0) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  /** A rate in words, to two significant figures. */
  const chance = ({ expected_false: expected }: MatchingSettings['near']) =>
    expected >= 1
      ? words.many({ count: number(expected) })
      : words.oneIn({
          searches: (1 / Math.max(expected, 1e-9)).toLocaleString(language, { maximumSignificantDigits: 2 }),
        });
  const saving = useSaving(form, {
    send: (_changes, version) =>
      call(settings.changeMatching, { query, body: { margin, reason: reason.trim(), version } }),
    onSaved(next) {
      setAsked(false);
      put(next);
    },
    labels: { margin: words.margin },
  });
  const isWithin = margin >= matching.margin_min && margin <= matching.margin_max;
  return (
    <>
      <Panel title={words.title} text={words.text}>
        <dl className="settings__stats">
          <Stat label={words.enrolled} value={number(matching.enrolled)} />
          <Stat
            label={words.same}
            value={words.from({ cosine: number(matching.same.cosine, 3) })}
            hint={chance(matching.same)}
          />
          <Stat
            label={names.in_review}
            value={words.from({ cosine: number(matching.near.cosine, 3) })}
            hint={chance(matching.near)}
          />
        </dl>
        <div className="stack">
          <p>
            {matching.standout_in_force
              ? words.standout
              : words.standoutLater({ people: number(matching.standout_from) })}
          </p>
          <p>{matching.is_measured ? words.measured : words.extrapolated}</p>
          {matching.older_templates > 0 && <p>{words.older({ count: number(matching.older_templates) })}</p>}
          <p className="quiet">{words.limits}</p>
          <p className="quiet">{words.notCertified}</p>
        </div>
      </Panel>
      <Panel title={words.margin} text={words.marginHelp}>
        <div className="stack form">
          <NumberInput
            label={words.margin}
            description={`${number(matching.margin_min, 2)} … ${number(matching.margin_max, 2)}`}
            step={STEP}
            decimalScale={2}
            clampBehavior="none"
            value={margin}
            error={!isWithin}
            onChange={(value) => form.set({ margin: Number(value) })}
          />
          <div className="row">
            <Submit
              obstacle={!isWithin ? 'outOfRange' : margin === matching.margin ? 'unchanged' : null}
              onClick={() => setAsked(true)}
            >
              {words.change}
            </Submit>
          </div>
        </div>
      </Panel>
      <SecondOpinion matching={matching} put={put} query={query} />
      {asked && (
        <FormDialog
          title={words.changeTitle({ margin: number(margin, 2) })}
          submit={words.change}
          isReady={isReason(reason)}
          obstacle="needsReason"
          // Closing it loses nothing: the form is below.
          sending={{ ...saving, place: undefined }}
          onClose={() => setAsked(false)}
        >
          <div>{words.changeText}</div>
          <Reason data-autofocus value={reason} onChange={(text) => form.set({ reason: text })} />
        </FormDialog>
      )}
    </>
  );
}
