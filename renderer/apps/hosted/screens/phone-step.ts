/** What the number and the code need of a flow; a run and the person's own page prove a number alike. */
import type { Flow, FlowState } from '../../../flow/flow.ts';

export type PhoneStep = Pick<Flow, 'sendCode' | 'confirmCode'>;
export type PhoneStepState = Pick<FlowState, 'busy' | 'phoneTrouble'>;
