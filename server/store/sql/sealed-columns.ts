/** Sealed columns, and the columns that identify their row. Those never change while the row exists. */
export const SEALED = {
  'case_frames.jpeg': ['case_id', 'idx'],
  'control_pictures.jpeg': ['id'],
  'face_rows.vector': ['company_id', 'partition', 'person_id', 'model'],
  'guest_photos.jpeg': ['event_id', 'person_id'],
  'handoffs.match_code': ['session_id'],
  'human_codes.serial': ['id'],
  'idempotency_keys.reply': ['id'],
  /** JSON in which only `SEALED_IN_JSON` is sealed, because the rest is searched. */
  'invites.request': ['id'],
  'operator_identities.subject': ['operator_id'],
  'operator_passkeys.public_key': ['operator_id', 'id'],
  'operator_sessions.address': ['id'],
  'operators.passphrase_hash': ['id'],
  'operators.pin_hash': ['id'],
  'people.metadata': ['id'],
  'person_blocks.contact': ['id'],
  'person_blocks.reason': ['id'],
  'person_identities.given': ['company_id', 'partition', 'provider', 'identifier'],
  'phone_codes.code': ['id'],
  'review_cases.vector': ['id'],
  'review_notes.text': ['id'],
  'review_opinions.reason': ['case_id', 'operator_id'],
  'second_factor_enrolments.secret': ['operator_id'],
  'second_factors.secret': ['operator_id'],
  'seen_face_keys.key': ['day'],
  'sessions.identity_given': ['id'],
  'sessions.metadata': ['id'],
  'sessions.pass_params': ['id'],
  'sessions.redirect_url': ['id'],
  'settings.value': ['name'],
  'signing_keys.secret': ['purpose', 'version'],
  'templates.vector': ['person_id', 'pass_id'],
  'ticket_calls.answer': ['entry_seq', 'kind'],
  'ticket_shifts.code': ['id'],
  'ticket_sources.config': ['id'],
  'tickets.code': ['id'],
  'tickets.note': ['id'],
  'verifications.redirect_url': ['id'],
  'webhook_calls.body': ['transaction_id'],
  /** One statement moves the waiting calls of a family, or copies their address into events (`SEALED_ALIKE`). */
  'webhook_calls.destination_url': ['key_lineage_id'],
  'webhook_configs.destination_url': ['key_lineage_id', 'webhook_type'],
  'webhook_events.destination_url': ['key_lineage_id'],
  'webhook_events.response_body': ['transaction_id', 'attempt'],
  'webhook_secrets.secret': ['key_lineage_id', 'version'],
} as const;
export type SealedColumn = keyof typeof SEALED;

/** A column whose stored values are copied from another one, and open as if they were still there. */
export const SEALED_ALIKE: Partial<Record<SealedColumn, SealedColumn>> = {
  'webhook_events.destination_url': 'webhook_calls.destination_url',
};

/** The sealed fields of `invites.request`; `metadata` was sealed before the others. */
export const SEALED_IN_JSON = ['metadata', 'passParams', 'redirectUrl'] as const;

/**
 * Sealed from schema 42 on. A node of the version before reads them as plain text, so they stay plain until none serves
 * any more (`sealing`).
 */
export const SEALED_LATER: ReadonlySet<SealedColumn> = new Set<SealedColumn>([
  'invites.request',
  'operator_sessions.address',
  'operators.passphrase_hash',
  'operators.pin_hash',
  'sessions.pass_params',
  'sessions.redirect_url',
  'verifications.redirect_url',
  'webhook_calls.destination_url',
  'webhook_configs.destination_url',
  'webhook_events.destination_url',
  'webhook_events.response_body',
]);

/**
 * Of the columns in `SEALED_LATER`: nothing is sealed; new values are, and plain ones are still read; plain ones are
 * refused like anything that was not sealed.
 */
export const SEALING = ['plain', 'begun', 'complete'] as const;
export type Sealing = (typeof SEALING)[number];

/** The primary key of each table whose rows are not identified by the columns above. */
export const PRIMARY_KEYS: Readonly<Record<string, readonly string[]>> = {
  handoffs: ['code_hash'],
  operator_passkeys: ['id'],
  templates: ['seq'],
  ticket_calls: ['seq'],
  webhook_calls: ['seq'],
  webhook_configs: ['id'],
  webhook_events: ['seq'],
};

/** The values of the columns that identify the row, in the order of `SEALED`. */
export type RowName = readonly (string | number)[];

export type Secrets = {
  /** IDs of the available keys: the first one seals, all of them open. Empty on SQLite. */
  keyIds: readonly string[];
  /** How far the columns in `SEALED_LATER` are; the driver keeps it up to date. */
  sealing: { stage: Sealing };
  /**
   * What counters of addresses, numbers and names are stored under: few values are possible, so a plain hash could be
   * tried out. With another key, counting starts again.
   */
  digest: (subject: Uint8Array) => Uint8Array;
  /** The value as it is stored. */
  seal: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, value: T) => T;
  /**
   * The original value.
   * @throws StoreError `database_damaged` if it was changed, moved or never sealed
   */
  open: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, stored: T) => T;
};
