/** A run that cannot continue here: a link that was used, opened elsewhere or revoked, or a start that failed. */
import { FLOW_ERRORS } from '../../../../server/contract/flow.ts';
import type { TitleAndText } from '../../../../locales/format.ts';
import type { DeadEnd } from '../../../i18n/messages.ts';
import { deadEndOfProblem } from '../../../flow/routing.ts';
import { Lead } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import type { KioskRefusalCode } from '../kiosk-api.ts';
import { Screen } from '../parts/Screen.tsx';
import { Next } from './Result.tsx';

/** A kiosk that lost its guest's run to another page scans the link again; it has no button to continue. */
const wordsOf = (deadEnds: Record<DeadEnd, TitleAndText>, deadEnd: DeadEnd): TitleAndText =>
  deadEnds[deadEnd === 'moved' ? 'claimed' : deadEnd];

/** The run ended while it was on this kiosk. */
export function Dead({ deadEnd, leftS }: { deadEnd: DeadEnd; leftS: number | null }) {
  const { messages } = useKiosk();
  return <End words={wordsOf(messages.deadEnds, deadEnd)} kind={deadEnd} leftS={leftS} />;
}

/** The server returned no run. */
export function Refused({ problem, leftS }: { problem: KioskRefusalCode; leftS: number | null }) {
  const { messages, words } = useKiosk();
  const flowError = FLOW_ERRORS.find((code) => code === problem);
  const deadEnd = flowError === undefined ? null : deadEndOfProblem(flowError);
  const said =
    problem === 'not_our_link' || problem === 'not found'
      ? words.notOurs
      : deadEnd === null || deadEnd === 'server'
        ? words.notStarted
        : wordsOf(messages.deadEnds, deadEnd);
  return <End words={said} kind={problem} leftS={leftS} />;
}

function End({ words, kind, leftS }: { words: TitleAndText; kind: string; leftS: number | null }) {
  return (
    <Screen title={words.title} icon="info" tone="look" actions={<Next leftS={leftS} />}>
      <Lead data-say data-dead-end={kind}>
        {words.text}
      </Lead>
    </Screen>
  );
}
