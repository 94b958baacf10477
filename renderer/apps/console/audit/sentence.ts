/** An entry of the audit log as a sentence. */
import type { AuditMessages } from '../../../../locales/types/audit.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditLine,
} from '../../../../server/contract/console/audit.ts';

type SentenceArgs = {
  actor: string;
  subject: string;
  from: string;
  to: string;
  decision: string;
  webhook: string;
  /** Number of further cases in the entry; 0 for a single one. */
  count: number;
};
type Sentence = string | ((args: SentenceArgs) => string);

type GroupOf<Action> = Action extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Action, Group extends string> = Action extends `${Group}.${infer Verb}` ? Verb : never;
/** The required type of the catalogue. */
type Sentences = {
  [Group in GroupOf<AuditAction>]: { [Verb in VerbOf<AuditAction, Group>]: Sentence };
};

/** @param names of the actor and the subject, or marks in their place */
export function sentenceOf(
  {
    action,
    details,
    to_name: toName,
  }: Pick<AuditLine, 'action' | 'details'> & Partial<Pick<AuditLine, 'to_name'>>,
  words: AuditMessages,
  names: { actor: string; subject: string },
): string {
  // Does not compile if an action has no sentence, or one with other arguments.
  const sentences: Sentences = words.sentences;
  if (!AUDIT_ACTIONS.some((known) => known === action)) {
    return words.unknown({ actor: names.actor, action });
  }
  const [group = '', verb = ''] = action.split('.');
  const sentence = (sentences as Record<string, Record<string, Sentence>>)[group]?.[verb] ?? '';
  if (typeof sentence === 'string') return sentence;
  return sentence({
    ...names,
    from: textOf(details['from']),
    to: toName ?? textOf(details['to']),
    decision: textOf(details['decision'] ?? details['status']),
    webhook: textOf(details['webhook_type']),
    count: typeof details['count'] === 'number' ? details['count'] : 0,
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';

const UNNAMED = { actor: '', subject: '' };

/**
 * What the actions of the filter are called where people read them: a word of their sentences, or of their codes. The server
 * knows the codes only.
 */
export function actionsNamed(text: string, words: AuditMessages): string {
  if (/[.*]/.test(text)) return text;
  const wanted = text.trim().toLowerCase();
  const area = AREAS.find((name) => words.areas[name].toLowerCase() === wanted);
  if (area !== undefined) return AREA_ACTIONS[area];
  const found = AUDIT_ACTIONS.filter(
    (action) =>
      action.includes(wanted) ||
      sentenceOf({ action, details: {} }, words, UNNAMED).toLowerCase().includes(wanted),
  );
  return found.length === 0 ? text : found.join(',');
}

/** What the filter offers, with the actions that each means. */
const AREA_ACTIONS = {
  checks: 'run.*,session.*,pass.*,invite.*',
  reviews: 'review.*',
  people: 'person.*',
  events: 'event.*,ticket*,shift.*,code*',
  kiosks: 'kiosk.*',
  operators: 'operator.*,filter.*,oidc.*',
  keys: 'key.*,result_token_key.*,database_key.*,metrics_token.*',
  webhooks: 'webhook*',
  verifications: 'verification.*',
  company: 'company.*,limit.*',
  settings: 'sms.*,matching.*,limits.*,languages.*,lan.*,maintenance.*,clock.*,papers.*',
  data: 'backup.*,retention.*,test_data.*,test_clock.*,data.*,database_log.*,recording.*,usage.*,audit.*,update.*',
} as const;
export const AREAS = Object.keys(AREA_ACTIONS) as (keyof typeof AREA_ACTIONS)[];

/** The code of an actor without a name of its own, such as the command line; otherwise the text. */
export function actorNamed(text: string, { actors }: AuditMessages): string {
  const wanted = text.trim().toLowerCase();
  const codes = {
    system: actors.system,
    cli: actors.cli,
    person: actors.person,
    'first start': actors.firstStart,
    'recovery phrase': actors.recovery,
  };
  const found = Object.entries(codes).find(([, name]) => name.toLowerCase().includes(wanted));
  return found !== undefined && wanted.length > 2 ? found[0] : text;
}
