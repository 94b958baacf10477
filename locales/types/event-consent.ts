// Written by `npm run locales` from locales/en. Do not edit.
export type EventConsentMessages = {
  consent: {
    withPhoto: {
      kept: string;
      howLong: (values: { duration: string | number; date: string | number }) => string;
      detail: string;
    };
    ofEvent: {
      kept: string;
      howLong: (values: { duration: string | number }) => string;
      untilEnd: string;
      compared: (values: { organiser: string | number }) => string;
      backups: string;
      withPhoto: {
        kept: string;
        howLong: (values: { duration: string | number; date: string | number }) => string;
        untilEnd: (values: { date: string | number }) => string;
      };
    };
    ofTicket: {
      why: (values: { organiser: string | number }) => string;
      kept: string;
      compared: (values: { organiser: string | number }) => string;
      sealed: string;
      withPhoto: {
        kept: string;
      };
    };
  };
};
