/** `POST /people/import`: people whom another service knew, from a CSV or JSON file. */
import { Type, type Static } from 'typebox';
import { oneOf } from '../schemas.ts';

/** A file with more is refused as a whole. */
export const MOST_IMPORT_ROWS = 50_000;
export const MAX_IMPORT_BYTES = 24 * 1024 * 1024;
/** Refused rows that are listed; all are counted. */
export const MOST_REFUSED_LISTED = 100;
export const IMPORT_TYPES = ['text/csv', 'application/octet-stream'] as const;

/** Why a row is not imported. */
export const IMPORT_PROBLEMS = [
  'no_external_id',
  'external_id_long',
  'bad_verdict',
  'no_verdict_time',
  'bad_verdict_time',
  'verdict_in_future',
  'group_long',
  'too_much_metadata',
  'bad_metadata',
  'too_many_cells',
  'not_an_object',
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

export const ImportQuery = {
  rehearse: Type.Optional(
    Type.Literal('yes', { description: 'Counts what an import would do, and changes nothing.' }),
  ),
};

/** Repeating an import changes nothing. */
export const ImportReport = Type.Object({
  rehearsal: Type.Boolean(),
  rows: Type.Integer({ description: 'Rows of the file, without its header.' }),
  new_people: Type.Integer(),
  changed_people: Type.Integer({ description: 'Known ones with new or other metadata.' }),
  unchanged_people: Type.Integer(),
  new_verdicts: Type.Integer(),
  known_verdicts: Type.Integer(),
  refused: Type.Integer(),
  refused_rows: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'Line of a CSV file, or place in a JSON list, from 1.' }),
      problem: oneOf(IMPORT_PROBLEMS),
      field: Type.String({ description: 'The column or field; empty for the row as a whole.' }),
    }),
    { description: 'The first hundred.' },
  ),
  ignored_columns: Type.Array(Type.String(), { description: 'Columns without a name.' }),
});
export type ImportReport = Static<typeof ImportReport>;
