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

/** `GET /papers/:paper`. */
export const PaperView = Type.Object({
  organiser: Type.String(),
  written_at: Type.String(),
  paper: Paper,
});
export type PaperView = Static<typeof PaperView>;
