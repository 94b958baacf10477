/**
 * A small head that shows the step mirrored: the person’s left is on the left of the screen. It moves, or with reduced
 * motion shows the final pose.
 */
import type { LivenessStep } from '../../server/contract/flow.ts';

/** @param props.isPlain the head alone in the centre of its box, without the arrow */
export function StepDrawing({ step, isPlain = false }: { step: LivenessStep; isPlain?: boolean }) {
  return (
    <svg
      className={`head head--${step}`}
      viewBox={(isPlain ? null : VIEWS[step]) ?? HEAD_ALONE}
      aria-hidden="true"
    >
      <g className="head__whole">
        <ellipse className="head__skin" cx="48" cy="37" rx="24" ry="29" />
        <g className="head__features">
          <g className="head__eyes">
            <ellipse cx="39" cy="32" rx="3" ry="3.6" />
            <ellipse cx="57" cy="32" rx="3" ry="3.6" />
          </g>
          <path className="head__nose" d="M48 34v8" />
          <path className="head__mouth" d={step.endsWith('smile') ? 'M37 48q11 11 22 0' : 'M41 51h14'} />
          <ellipse className="head__open" cx="48" cy="53" rx="6.5" ry="8" />
        </g>
      </g>
      {!isPlain && <path className="head__arrow" d={ARROWS[step]} />}
    </svg>
  );
}

const UP = 'M78 22l7-9 7 9M85 13v18';
const ARROWS: Partial<Record<LivenessStep, string>> = {
  turn_left: 'M16 27L7 37l9 10',
  turn_right: 'M80 27l9 10-9 10',
  look_up: UP,
  look_up_smile: UP,
  move_closer: 'M4 12l9 9M13 12v9H4M92 12l-9 9M83 12v9h9',
};

/** The used part of the 96 × 72 drawing: a head without an arrow needs no space for one. */
const HEAD_ALONE = '20 4 56 66';
const HEAD_AND_UP = '20 4 76 66';
const VIEWS: Partial<Record<LivenessStep, string>> = {
  turn_left: '3 4 73 66',
  turn_right: '20 4 73 66',
  look_up: HEAD_AND_UP,
  look_up_smile: HEAD_AND_UP,
  move_closer: '0 4 96 66',
};
