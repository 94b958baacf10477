/** The reason of a change: its field, its limits, and the count of its characters. */
import { Textarea } from '@mantine/core';
import { MAX_REASON_CHARS, MIN_REASON_CHARS } from '../../../../../server/contract/console/common.ts';
import { useCommonWords } from '../words.tsx';
import { text } from '../forms/fields.ts';

/** The count is shown for the last of them. */
const COUNTED_CHARS = 100;

export const isTooLong = (reason: string): boolean => reason.trim().length > MAX_REASON_CHARS;

/** Whether a reason can be sent. */
export const isReason = (reason: string): boolean =>
  reason.trim().length >= MIN_REASON_CHARS && !isTooLong(reason);

/** Shown when the reason is nearly as long as allowed, or too long. */
export function ReasonCount({ reason }: { reason: string }) {
  const { confirm } = useCommonWords();
  const count = reason.trim().length;
  return (
    <p className="reason-count" role="status" data-over={isTooLong(reason)}>
      {count > MAX_REASON_CHARS - COUNTED_CHARS && confirm.reasonCount({ count, max: MAX_REASON_CHARS })}
    </p>
  );
}

type ReasonProps = {
  value: string;
  onChange: (value: string) => void;
  /** The dialog opens with the focus here. */
  'data-autofocus'?: boolean;
};

/** Why something is changed, for the audit log. Pasted text is kept in full, so that its author can shorten it. */
export function Reason({ value, onChange, ...field }: ReasonProps) {
  const { confirm } = useCommonWords();
  return (
    <div>
      <Textarea
        label={confirm.reason}
        description={confirm.reasonHelp({ min: MIN_REASON_CHARS })}
        required
        {...field}
        autosize={false}
        rows={2}
        error={isTooLong(value)}
        {...text(value, onChange)}
      />
      <ReasonCount reason={value} />
    </div>
  );
}
