// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type TicketLinkMessages = {
  documentTitle: string;
  title: string;
  text: string;
  code: string;
  hint: string;
  next: string;
  opening: string;
  another: string;
  answers: {
    unknown: TitleAndText;
    at_door: TitleAndText;
    over: TitleAndText;
    unpaid: TitleAndText;
    not_valid: TitleAndText;
    checked: TitleAndText;
    entered: TitleAndText;
  };
  failed: {
    offline: TitleAndText;
    crowded: TitleAndText;
    server: TitleAndText;
  };
};
