// Written by `npm run locales` from locales/en. Do not edit.
export type TrustMessages = {
  title: string;
  intro: string;
  compare: string;
  compareText: string;
  download: string;
  downloadApple: string;
  systems: {
    apple: {
      name: string;
      steps: readonly (string)[];
    };
    android: {
      name: string;
      steps: readonly (string)[];
    };
    windows: {
      name: string;
      steps: readonly (string)[];
    };
    macos: {
      name: string;
      steps: readonly (string)[];
    };
    linux: {
      name: string;
      steps: readonly (string)[];
    };
  };
  done: string;
  remove: string;
};
