// Written by `npm run locales` from locales/en. Do not edit.
export type CrashMessages = {
  crashed: {
    title: string;
    text: string;
  };
  offline: {
    title: string;
    text: string;
  };
  blocked: {
    title: string;
    text: string;
  };
  reload: string;
  back: string;
  elsewhere: string;
  restarts: string;
};
