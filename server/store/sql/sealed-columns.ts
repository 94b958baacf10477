/** Sealed columns, and the columns that identify their row. Those never change while the row exists. */
export const SEALED = {
  'case_frames.jpeg': ['case_id', 'idx'],
  'face_rows.vector': ['company_id', 'partition', 'person_id', 'model'],
  'guest_photos.jpeg': ['event_id', 'person_id'],
  'handoffs.match_code': ['session_id'],
  /** JSON in which only the field `metadata` is sealed, because the rest is searched. */
  'invites.request': ['id'],
  'people.metadata': ['id'],
  'phone_codes.code': ['id'],
  'review_cases.vector': ['id'],
  'review_notes.text': ['id'],
  'second_factor_enrolments.secret': ['operator_id'],
  'second_factors.secret': ['operator_id'],
  'sessions.metadata': ['id'],
  'settings.value': ['name'],
  'signing_keys.secret': ['purpose', 'version'],
  'templates.vector': ['person_id', 'pass_id'],
  'webhook_calls.body': ['transaction_id'],
  'webhook_secrets.secret': ['key_lineage_id', 'version'],
} as const;
export type SealedColumn = keyof typeof SEALED;

/** The primary key of each table whose rows are not identified by the columns above. */
export const PRIMARY_KEYS: Readonly<Record<string, readonly string[]>> = {
  handoffs: ['code_hash'],
  templates: ['seq'],
  webhook_calls: ['seq'],
};

/** The values of the columns that identify the row, in the order of `SEALED`. */
export type RowName = readonly (string | number)[];

export type Secrets = {
  /** IDs of the available keys: the first one seals, all of them open. Empty on SQLite. */
  keyIds: readonly string[];
  /** The value as it is stored. */
  seal: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, value: T) => T;
  /**
   * The original value.
   * @throws StoreError `database_damaged` if it was changed, moved or never sealed
   */
  open: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, stored: T) => T;
};
