// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type CrashMessages = {
  crashed: TitleAndText;
  offline: TitleAndText;
  blocked: TitleAndText;
  reload: string;
  back: string;
  elsewhere: string;
  restarts: string;
};
