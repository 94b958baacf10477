/** A failed attempt: what was wrong with the picture, and another try. */
import type { FlowState } from '../../../flow/flow.ts';
import { retryViewOf } from '../../../flow/retry-reasons.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { LeadList } from '../../../ui/Lead.tsx';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

export function Retry({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { kiosk, messages, words } = useKiosk();
  const { reasons, tips, triesLeft } = retryViewOf(flow, messages);
  return (
    <Screen
      title={messages.retry.title}
      icon="repeat"
      tone="look"
      actions={
        <>
          <button
            type="button"
            className="button button--main"
            disabled={flow.busy}
            onClick={visit.flow.again}
          >
            {messages.retry.again}
          </button>
          <button
            type="button"
            className="button button--side"
            disabled={flow.busy}
            onClick={() => kiosk.askStaff(true)}
          >
            {words.consent.askStaff}
          </button>
        </>
      }
    >
      <LeadList className="reasons">
        {reasons.map((reason) => (
          <li key={reason} data-say>
            <Icon name="info" size={36} />
            {reason}
          </li>
        ))}
      </LeadList>
      {tips.length > 0 && (
        <ul className="tips">
          {tips.map((tip) => (
            <li key={tip} data-say>
              {tip}
            </li>
          ))}
        </ul>
      )}
      {triesLeft > 0 && <p className="quiet">{messages.retry.triesLeft({ count: triesLeft })}</p>}
    </Screen>
  );
}
