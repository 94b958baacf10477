import { Button, SegmentedControl, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { verifications } from '../../../../server/contract/routes/console/verifications.ts';
import type {
  ConsoleVerification,
  VerificationFields,
} from '../../../../server/contract/console/verifications.ts';
import { MAX_ADDRESS_CHARS, MAX_ID_LENGTH } from '../../../../server/contract/text-bounds.ts';
import { changedFields, withChanges } from '../shared/dialogs/changed.ts';
import { addRow, putRow } from '../shared/client/put-row.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useCommonWords, useWords } from '../shared/words.tsx';
import { OptionFields } from './OptionFields.tsx';
import { parseConfig, type Config } from './options.ts';

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
  const [texts, setTexts] = useState<Record<FieldName, string>>(() => textsOf(verification));
  const [embedOrigins, setEmbedOrigins] = useState(verification?.embed_origins ?? []);
  const [config, setConfig] = useState<Config>(verification?.config ?? {});
  const [opened] = useState({ ...texts, embed_origins: embedOrigins, config });
  const [json, setJson] = useState<string | null>(null);
  const typed = json === null ? config : parseConfig(json);
  const saving = useMutation({
    mutationFn: (fields: VerificationFields) => {
      if (verification === undefined) return call(verifications.create, { body: fields });
      const body = changedFields<VerificationFields>(opened, fields);
      if (body.config !== undefined)
        body.config = withChanges(verification.config, opened.config, body.config);
      return call(verifications.change, { params: { verification_id: verification.verification_id }, body });
    },
    onSuccess: (saved) => {
      // The list shows the oldest first.
      if (verification === undefined) addRow(client, ['verifications', scope], saved, () => false);
      else putRow(client, 'verifications', 'verification_id', saved);
      onSaved(saved);
    },
  });
  const help: Record<FieldName, readonly [label: string, help: string | null, placeholder: string]> = {
    external_id: [words.externalId, words.externalIdHelp, 'main-entrance'],
    external_tenant_id: [words.tenantId, null, ''],
    origin: [words.origin, words.originHelp, 'https://tickets.example.org'],
    start_path: [words.startPath, words.startPathHelp, '/checkout'],
    return_path: [words.returnPath, words.returnPathHelp, '/done'],
    redirect_url: [words.redirectUrl, words.redirectUrlHelp, 'https://tickets.example.org/done'],
  };

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== null) saving.mutate({ ...texts, embed_origins: embedOrigins, config: { ...typed } });
      }}
    >
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
            if (view === 'json') setJson(JSON.stringify(config, null, 2));
            // Text that is no JSON object stays until it is corrected.
            else if (typed !== null) {
              setConfig(typed);
              setJson(null);
            }
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
          onChange={({ currentTarget }) => setJson(currentTarget.value)}
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
            value={texts[name]}
            onChange={({ currentTarget: { value } }) => setTexts({ ...texts, [name]: value })}
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
          setEmbedOrigins(values.flatMap((value) => value.split(/[\s,]+/).filter(Boolean)))
        }
      />
      <ErrorLine error={saving.error} />
      <div className="dialog-actions">
        <Button variant="default" onClick={onCancel}>
          {actions.cancel}
        </Button>
        <Button type="submit" disabled={typed === null} loading={saving.isPending}>
          {verification === undefined ? words.create : words.save}
        </Button>
      </div>
    </form>
  );
}

function textsOf(verification: ConsoleVerification | undefined): Record<FieldName, string> {
  const of = (name: FieldName): string => verification?.[name] ?? '';
  return {
    external_id: of('external_id'),
    external_tenant_id: of('external_tenant_id'),
    origin: of('origin'),
    start_path: of('start_path'),
    return_path: of('return_path'),
    redirect_url: of('redirect_url'),
  };
}
