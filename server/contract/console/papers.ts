/** The papers that data protection law asks of an organiser, written from the settings: `/console/api/papers/…`. */
import { Type, type Static } from 'typebox';
import { nullable } from '../schemas.ts';

export const PAPERS = ['record', 'assessment'] as const;
export type PaperName = (typeof PAPERS)[number];

export const PaperRow = Type.Object({
  id: Type.String({ description: 'The same in every language and version.' }),
  title: Type.String(),
  lines: Type.Array(Type.String(), { description: 'What the settings say, one sentence or two each.' }),
  question: nullable('What only the organiser can answer.'),
});
export type PaperRow = Static<typeof PaperRow>;

export const PaperSection = Type.Object({
  id: Type.String(),
  title: Type.String(),
  rows: Type.Array(PaperRow),
});
export type PaperSection = Static<typeof PaperSection>;

/** One paper in one language. */
export const Paper = Type.Object({
  title: Type.String(),
  article: Type.String(),
  notice: Type.String(),
  to_answer: Type.String({ description: 'The mark of a question.' }),
  sections: Type.Array(PaperSection),
});
export type Paper = Static<typeof Paper>;

export const PaperDifference = Type.Object({
  section: Type.String({ description: 'Its title.' }),
  title: Type.String(),
  was: Type.Array(Type.String()),
  is: Type.Array(Type.String()),
});
export type PaperDifference = Static<typeof PaperDifference>;

/** Something that was kept: what the papers were written from. `POST /papers/keep` returns it. */
export const KeptPapers = Type.Object({
  kept_id: Type.String(),
  kept_at: Type.String(),
  kept_by: nullable('Name of the operator.'),
});
export type KeptPapers = Static<typeof KeptPapers>;

/** `GET /papers/:paper`. */
export const PaperView = Type.Object({
  organiser: Type.String(),
  written_at: Type.String(),
  paper: Paper,
  shown: nullable('The kept version that this is; null for the settings in force.'),
  is_changed: Type.Boolean({ description: 'Whether anything in any paper has changed since it was kept.' }),
  kept: Type.Array(KeptPapers, { description: 'Newest first; 20 at most.' }),
  differences: Type.Array(PaperDifference, {
    description: 'Between the kept version that is shown, else the newest, and the settings in force.',
  }),
});
export type PaperView = Static<typeof PaperView>;
