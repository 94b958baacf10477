// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type TicketsMessages = {
  admitted: TitleAndText;
  left: TitleAndText;
  show: TitleAndText;
  party: {
    title: (values: { count: number }) => string;
    text: string;
    start: (values: { count: number }) => string;
    guest: (values: { number: string | number }) => string;
    inside: string;
    next: (values: { name: string | number }) => string;
    nextTicket: string;
  };
  staff: (values: { action: string | number }) => string;
  unknown: {
    title: string;
    text: string;
    staff: string;
  };
  wrong_event: {
    title: string;
    text: (values: { event: string | number }) => string;
    staff: string;
  };
  too_early: {
    title: string;
    text: (values: { from: string | number }) => string;
    staff: string;
  };
  too_late: {
    title: string;
    text: (values: { until: string | number }) => string;
    staff: string;
  };
  unpaid: {
    title: string;
    text: string;
    staff: string;
  };
  blocked: {
    title: string;
    text: string;
    staff: string;
  };
  revoked: {
    title: string;
    text: string;
    staff: string;
  };
  cancelled: {
    title: string;
    text: string;
    staff: string;
  };
  already_in: {
    title: string;
    text: (values: { at: string | number; gate: string | number }) => string;
    staff: string;
  };
  not_inside: {
    title: string;
    text: string;
    staff: string;
  };
  other_face: {
    title: string;
    text: string;
    staff: string;
  };
  other_ticket: {
    title: string;
    text: string;
    staff: string;
  };
  rules_unknown: {
    title: string;
    text: string;
    staff: string;
  };
};
