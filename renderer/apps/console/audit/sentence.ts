/** An entry of the audit log as a sentence. */
import type { AuditMessages } from '../../../../locales/types/audit.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditLine,
} from '../../../../server/contract/console/audit.ts';

/** Marks in a sentence for what the page shows as a name or a link. */
export const ACTOR_MARK = '\uE000';
export const SUBJECT_MARK = '\uE001';

type SentenceArgs = {
  actor: string;
  subject: string;
  from: string;
  to: string;
  decision: string;
  webhook: string;
  /** Further cases that the entry stands for; 0 for a single one. */
  count: number;
};
type Sentence = string | ((args: SentenceArgs) => string);

type GroupOf<Action> = Action extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Action, Group extends string> = Action extends `${Group}.${infer Verb}` ? Verb : never;
/** What the catalogue has to hold. */
type Sentences = {
  [Group in GroupOf<AuditAction>]: { [Verb in VerbOf<AuditAction, Group>]: Sentence };
};

/** With `ACTOR_MARK` and `SUBJECT_MARK` in the place of names. */
export function sentenceOf(
  { action, details }: Pick<AuditLine, 'action' | 'details'>,
  words: AuditMessages,
): string {
  // Does not compile where an action has no sentence, or one with other arguments.
  const sentences: Sentences = words.sentences;
  if (!AUDIT_ACTIONS.some((known) => known === action)) {
    return words.unknown({ actor: ACTOR_MARK, action });
  }
  const [group = '', verb = ''] = action.split('.');
  const sentence = (sentences as Record<string, Record<string, Sentence>>)[group]?.[verb] ?? '';
  if (typeof sentence === 'string') return sentence;
  return sentence({
    actor: ACTOR_MARK,
    subject: SUBJECT_MARK,
    from: textOf(details['from']),
    to: textOf(details['to']),
    decision: textOf(details['decision'] ?? details['status']),
    webhook: textOf(details['webhook_type']),
    count: typeof details['count'] === 'number' ? details['count'] : 0,
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
