import { guestNumber } from '../../../../server/contract/guest-number.ts';
import { useKiosk } from '../context.ts';

/** The same number as on the door, so that staff know which guest stands before them. */
export function GuestNumber({ sessionId }: { sessionId: string }) {
  const { words } = useKiosk();
  return (
    <p className="guest-number" data-say>
      {words.guestNumber({ number: guestNumber(sessionId) })}
    </p>
  );
}
