/** Tickets in an event's report. */
import { Type, type Static } from 'typebox';

const count = Type.Integer({ minimum: 0 });

const passages = {
  entered: Type.Integer({ minimum: 0, description: 'People, as often as they entered.' }),
  left: count,
  refused: Type.Integer({ minimum: 0, description: 'Scans that let nobody in by themselves.' }),
};

export const TicketReport = Type.Object({
  sold: Type.Integer({ minimum: 0, description: 'Valid tickets of all sources.' }),
  not_valid: Type.Integer({ minimum: 0, description: 'Unpaid, blocked, replaced and cancelled ones.' }),
  entered: passages.entered,
  left: count,
  inside: Type.Integer({ description: 'Entered and not left.' }),
  people: Type.Integer({ minimum: 0, description: 'Different guests who entered, as their tickets tell.' }),
  codes_without_face: Type.Integer({
    minimum: 0,
    description: 'Tickets whose guests entered without a check: children, and those that staff let in.',
  }),
  faces_without_code: Type.Integer({
    minimum: 0,
    description: 'People who passed the check and have no ticket of the event.',
  }),
  refusals: Type.Array(Type.Object({ reason: Type.String(), count }), { description: 'Most first.' }),
  gates: Type.Array(Type.Object({ gate: Type.String(), name: Type.String(), ...passages })),
  hours: Type.Array(Type.Object({ from: Type.String({ description: 'Start of the hour.' }), ...passages }), {
    description:
      'Every hour of the event so far, also empty ones; of more than 400, only those with entries or refusals.',
  }),
  gate_hours: Type.Array(Type.Object({ from: Type.String(), gate: Type.String(), ...passages }), {
    description: 'By hour and gate, without empty ones.',
  }),
});
export type TicketReport = Static<typeof TicketReport>;
