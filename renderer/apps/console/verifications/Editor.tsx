import { Button, SegmentedControl, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { verifications } from '../../../../server/contract/routes/console/verifications.ts';
import type {
  ConsoleVerification,
  VerificationFields,
} from '../../../../server/contract/console/verifications.ts';
import { MAX_ADDRESS_CHARS, MAX_ID_LENGTH } from '../../../../server/contract/text-bounds.ts';
import { addRow, putRow } from '../shared/client/put-row.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { useForm } from '../shared/forms/use-form.ts';
import { useSaving } from '../shared/forms/use-saving.tsx';
import { withPart } from '../shared/forms/with-part.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { OptionFields } from './OptionFields.tsx';
import { parseConfig, type Config } from './options.ts';
import { Submit, Form } from '../shared/forms/Submit.tsx';

const FIELDS = [
  'external_id',
  'external_tenant_id',
  'origin',
  'start_path',
  'return_path',
  'redirect_url',
] as const;
type FieldName = (typeof FIELDS)[number];

type Props = {
  /** Undefined: creates a new one. */
  verification?: ConsoleVerification;
  onSaved: (saved: ConsoleVerification) => void;
  onCancel: () => void;
};

/** Options as questions or as JSON, and the addresses of an integration. The server checks them with the schema of the API. */
export function Editor({ verification, onSaved, onCancel }: Props) {
  const words = useWords('verifications');
  const { actions } = useCommonWords();
  const client = useQueryClient();
  const scope = useScopeFilter();
  const call = useScopedCall();
  const form = useForm({
    name: verificationDraft(verification?.verification_id),
    read: valuesOf(verification),
    version: verification?.version,
  });
  const { config, json, embed_origins: embedOrigins } = form.values;
  const setConfig = (next: Config) => form.set({ config: next });
  const typed = json === null ? config : parseConfig(json);
  const help: Record<FieldName, readonly [label: string, help: string | null, placeholder: string]> = {
    external_id: [words.externalId, words.externalIdHelp, 'main-entrance'],
    external_tenant_id: [words.tenantId, null, ''],
    origin: [words.origin, words.originHelp, 'https://tickets.example.org'],
    start_path: [words.startPath, words.startPathHelp, '/checkout'],
    return_path: [words.returnPath, words.returnPathHelp, '/done'],
    redirect_url: [words.redirectUrl, words.redirectUrlHelp, 'https://tickets.example.org/done'],
  };
  const saving = useSaving(form, {
    send: ({ json: _json, ...changes }, version) => {
      const fields: VerificationFields = { ...changes, ...(json !== null && { config: { ...typed } }) };
      if (verification === undefined) {
        const { json: _typed, ...all } = form.values;
        return call(verifications.create, { body: { ...all, config: { ...typed } } });
      }
      const params = { verification_id: verification.verification_id };
      return call(verifications.change, { params, body: { ...fields, version } });
    },
    onSaved: (saved) => {
      // The list shows the oldest first.
      if (verification === undefined) addRow(client, ['verifications', scope], saved, () => false);
      else putRow(client, 'verifications', 'verification_id', saved);
      onSaved(saved);
    },
    labels: {
      ...Object.fromEntries(FIELDS.map((name) => [name, help[name][0]])),
      embed_origins: words.embedOrigins,
      config: words.config,
    },
    take: (field, value, values) => {
      const [name = '', ...rest] = field.split('.');
      // Options are shown as questions again, where their value is seen.
      if (name === 'config')
        return { json: null, config: withPart(typed ?? values.config, rest, value) as Config };
      return { [name]: value ?? (name === 'embed_origins' ? [] : '') };
    },
  });

  return (
    <Form onSubmit={() => typed !== null && saving.mutate()}>
      <div className="option-head">
        <h2>{words.how}</h2>
        <SegmentedControl
          size="xs"
          aria-label={words.configView}
          value={json === null ? 'form' : 'json'}
          data={[
            { value: 'form', label: words.asForm },
            { value: 'json', label: words.asJson },
          ]}
          onChange={(view) => {
            if (view === 'json') form.set({ json: JSON.stringify(config, null, 2) });
            // Text that is no JSON object stays until it is corrected.
            else if (typed !== null) form.set({ config: typed, json: null });
          }}
        />
      </div>
      {json === null ? (
        <OptionFields config={config} onChange={setConfig} />
      ) : (
        <Textarea
          label={words.json}
          description={words.jsonHelp}
          error={typed === null ? words.jsonWrong : null}
          rows={12}
          autosize={false}
          spellCheck={false}
          classNames={{ input: 'json-input' }}
          value={json}
          onChange={({ currentTarget }) => form.set({ json: currentTarget.value })}
        />
      )}
      <h2>{words.where}</h2>
      {FIELDS.map((name) => {
        const [label, description, placeholder] = help[name];
        return (
          <TextInput
            key={name}
            label={label}
            description={description}
            placeholder={placeholder}
            maxLength={name === 'external_id' ? MAX_ID_LENGTH : MAX_ADDRESS_CHARS}
            autoComplete="off"
            value={form.values[name]}
            onChange={({ currentTarget: { value } }) => form.set({ [name]: value })}
          />
        );
      })}
      <TagsInput
        label={words.embedOrigins}
        description={words.embedOriginsHelp}
        placeholder="https://shop.example.org"
        splitChars={[',', ' ']}
        acceptValueOnBlur
        clearable={false}
        value={embedOrigins}
        onChange={(values) =>
          form.set({ embed_origins: values.flatMap((value) => value.split(/[\s,]+/).filter(Boolean)) })
        }
      />
      {saving.notes}
      <ErrorLine error={saving.error} />
      <div className="dialog-actions">
        <Button variant="default" onClick={() => form.leave(onCancel)}>
          {actions.cancel}
        </Button>
        <Submit obstacle={typed === null ? 'incomplete' : null} loading={saving.isPending}>
          {verification === undefined ? words.create : words.save}
        </Submit>
      </div>
    </Form>
  );
}

/** Name of the draft. */
export const verificationDraft = (id: string | undefined): string => `verification ${id ?? 'new'}`;

type Values = Record<FieldName, string> & {
  embed_origins: string[];
  config: Config;
  /** The options as text while they are edited so. */
  json: string | null;
};

function valuesOf(verification: ConsoleVerification | undefined): Values {
  const of = (name: FieldName): string => verification?.[name] ?? '';
  return {
    external_id: of('external_id'),
    external_tenant_id: of('external_tenant_id'),
    origin: of('origin'),
    start_path: of('start_path'),
    return_path: of('return_path'),
    redirect_url: of('redirect_url'),
    embed_origins: verification?.embed_origins ?? [],
    config: verification?.config ?? {},
    json: null,
  };
}
