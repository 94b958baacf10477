/** Words of the trust page: one file a language, all with the same pieces. */
export type TrustWords = {
  /** The language's own name. */
  language: string;
  title: string;
  intro: string;
  compare: string;
  compareText: string;
  download: string;
  downloadApple: string;
  systems: readonly { name: string; steps: readonly string[] }[];
  done: string;
  remove: string;
};
