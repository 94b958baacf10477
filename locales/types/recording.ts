// Written by `npm run locales` from locales/en. Do not edit.
export type RecordingMessages = {
  consent: {
    title: string;
    whyTerm: string;
    why: (values: { organiser: string | number }) => string;
    keptTerm: string;
    kept: string;
    howLongTerm: string;
    howLong: (values: { date: string | number }) => string;
    accept: string;
    decline: string;
    more: string;
    details: readonly (string | ((values: { organiser: string | number }) => string))[];
  };
  done: {
    title: string;
    text: (values: { organiser: string | number; date: string | number }) => string;
  };
  declined: {
    title: string;
  };
};
