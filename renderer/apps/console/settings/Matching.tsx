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
import { Controls } from './Controls.tsx';
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

type Panels = {
  matching: MatchingSettings;
  put: (next: MatchingSettings) => void;
  query: Readonly<Record<string, string>>;
};

function MatchingPanels(panels: Panels) {
  const { matching } = panels;
  const { matching: words } = useWords('settings');
  const { names } = useWords('outcomes');
  const { language } = useLanguage();
  const number = (value: number, digits = 0) =>
    value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  /** A rate in words, to two significant figures. */
  const chance = ({ expected_false: expected }: MatchingSettings['near']) =>
    expected >= 1
      ? words.many({ count: number(expected) })
      : words.oneIn({
          searches: (1 / Math.max(expected, 1e-9)).toLocaleString(language, { maximumSignificantDigits: 2 }),
        });
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
      <Threshold
        {...panels}
        field="margin"
        draft="matching margin"
        bounds={[matching.margin_min, matching.margin_max]}
        range={`${number(matching.margin_min, 2)} … ${number(matching.margin_max, 2)}`}
        title={words.margin}
        help={words.marginHelp}
        label={words.margin}
        change={words.change}
        asking={(margin) => words.changeTitle({ margin: number(margin, 2) })}
      />
      <Threshold
        {...panels}
        field="second_opinion_below"
        draft="second opinion"
        bounds={[0, 1]}
        range="0 … 1"
        title={words.secondTitle}
        help={words.secondHelp}
        label={words.secondBelow}
        change={words.secondChange}
        asking={() => words.secondChange}
      />
      <Controls />
    </>
  );
}

type ThresholdProps = Panels & {
  field: 'margin' | 'second_opinion_below';
  /** Name of the draft. */
  draft: string;
  bounds: readonly [min: number, max: number];
  range: string;
  title: string;
  help: string;
  label: string;
  change: string;
  asking: (value: number) => string;
};

/** A similarity that is changed with a reason. */
function Threshold({ matching, put, query, field, draft, bounds, range, asking, ...said }: ThresholdProps) {
  const { matching: words } = useWords('settings');
  const form = useForm({
    name: draft,
    read: { value: matching[field], reason: '' },
    version: matching.version,
  });
  const { value, reason } = form.values;
  const [asked, setAsked] = useState(false);
  const saving = useSaving(form, {
    send: (_changes, version) =>
      call(settings.changeMatching, { query, body: { [field]: value, reason: reason.trim(), version } }),
    onSaved(next) {
      setAsked(false);
      put(next);
    },
    labels: { [field]: said.label },
    take: (_field, theirs) => ({ value: theirs as number }),
  });
  const isWithin = value >= bounds[0] && value <= bounds[1];
  return (
    <Panel title={said.title} text={said.help}>
      <div className="stack form">
        <NumberInput
          label={said.label}
          description={range}
          step={STEP}
          decimalScale={2}
          clampBehavior="none"
          value={value}
          error={!isWithin}
          onChange={(next) => form.set({ value: Number(next) })}
        />
        <div className="row">
          <Submit
            obstacle={!isWithin ? 'outOfRange' : value === matching[field] ? 'unchanged' : null}
            onClick={() => setAsked(true)}
          >
            {said.change}
          </Submit>
        </div>
      </div>
      {asked && (
        <FormDialog
          title={asking(value)}
          submit={said.change}
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
    </Panel>
  );
}
