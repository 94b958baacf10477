// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type HandoffMessages = {
  desktop: {
    title: string;
    text: string;
    onlyHere: string;
    qrLabel: string;
    matchTerm: string;
    copy: string;
    copied: string;
    copyFailed: string;
    expired: TitleAndText;
    newCode: string;
    ended: TitleAndText;
    opened: TitleAndText;
    following: {
      title: string;
      steps: {
        consent: string;
        phone: string;
        capture: string;
        result: string;
      };
    };
    keepOpen: string;
    useThisCamera: string;
  };
  handoff: {
    title: string;
    text: (values: { organiser: string | number }) => string;
    label: string;
    confirm: string;
    wrong: (values: { triesLeft: number }) => string;
    stranger: string;
  };
  elsewhere: {
    title: string;
    text: string;
    menu: {
      ios: string;
      android: string;
      other: string;
    };
    paste: {
      ios: string;
      android: string;
      other: string;
    };
    open: string;
    copy: string;
    copied: string;
    copyFailed: string;
    linkLabel: string;
    keepOpen: string;
    tryCamera: string;
  };
  notEmbedded: {
    title: string;
    text: string;
    owner: string;
    setting: (values: { origin: string | number }) => string;
  };
};
