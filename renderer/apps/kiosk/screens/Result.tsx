/** The end, over the whole screen: readable for the person before it and for staff behind. Goes by itself. */
import type { Presentation } from '../../../../server/contract/flow.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { presentationOf } from '../../../flow/routing.ts';
import type { IconName } from '../../../ui/Icon.tsx';
import { useKiosk } from '../context.ts';
import { Screen, type Tone } from '../parts/Screen.tsx';
import { Next } from './Next.tsx';

type Shown = 'passed' | 'pending' | 'denied' | 'declined';

const SHOWN: Record<Presentation, Shown> = {
  approved: 'passed',
  flagged: 'passed',
  pending: 'pending',
  denied: 'denied',
  declined: 'declined',
};
const LOOK: Record<Shown, { icon: IconName; tone: Tone }> = {
  passed: { icon: 'check', tone: 'passed' },
  pending: { icon: 'people', tone: 'look' },
  denied: { icon: 'people', tone: 'refused' },
  declined: { icon: 'people', tone: 'plain' },
};

export function Result({ flow, leftS }: { flow: FlowState; leftS: number | null }) {
  const { words, config, language } = useKiosk();
  const shown: Shown = flow.snapshot === null ? 'pending' : SHOWN[presentationOf(flow.snapshot)];
  const event = config?.event?.words[language];
  const own = shown === 'passed' ? event?.passed : shown === 'declined' ? event?.ask_staff : undefined;
  const { title, text } = words.result[shown];
  return (
    <Screen title={title} {...LOOK[shown]} isFilled actions={<Next leftS={leftS} />}>
      <p className="lead" data-say data-result={shown}>
        {own === undefined || own === '' ? text : own}
      </p>
    </Screen>
  );
}
