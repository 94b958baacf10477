// Written by `npm run locales` from locales/en. Do not edit.
export type ShellMessages = {
  title: {
    console: string;
    kiosk: string;
  };
  starting: string;
  doing: {
    begun: string;
    loaded: string;
    opened: string;
  };
  patience: string;
  restarting: string;
  restartingText: string;
  failed: string;
  failedText: string;
  failedSilently: string;
  pageEnded: string;
  retry: string;
  unsavedTitle: string;
  unsavedText: string;
  unsavedClose: string;
  unsavedKeep: string;
};
