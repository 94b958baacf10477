/** The part of npm's own configuration reader that the asset scripts use; the package ships no types. */
declare module '@npmcli/config' {
  class Config {
    constructor(options: {
      definitions: object;
      shorthands: object;
      flatten: object;
      nerfDarts?: readonly string[];
      npmPath: string;
      argv?: readonly string[];
      cwd?: string;
      env?: NodeJS.ProcessEnv;
      execPath?: string;
      warn?: boolean;
    });
    load(): Promise<void>;
    /** Options in the form that npm's libraries accept: registry, proxy, certificates, credentials, … */
    readonly flat: Record<string, unknown>;
  }
  export = Config;
}

declare module '@npmcli/config/lib/definitions/index.js' {
  const definitions: {
    definitions: object;
    shorthands: object;
    flatten: object;
    nerfDarts: readonly string[];
  };
  export = definitions;
}
