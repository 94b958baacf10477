// Written by `npm run locales` from locales/en. Do not edit.
export type ConsoleMessages = {
  documentTitle: (values: { page: string | number }) => string;
  pages: {
    door: string;
    events: string;
    reviews: string;
    sessions: string;
    people: string;
    keys: string;
    webhooks: string;
    usage: string;
    verifications: string;
    settings: string;
    operators: string;
    audit: string;
    account: string;
  };
  navigation: {
    waiting: string;
    label: string;
    open: string;
    close: string;
    skip: string;
  };
  roles: {
    staff: string;
    reviewer: string;
    admin: string;
  };
  scope: {
    company: string;
    partition: string;
    live: string;
    test: string;
    testNote: string;
    testAhead: (values: { hours: number }) => string;
  };
  menu: {
    label: (values: { name: string | number }) => string;
    account: string;
    signOut: string;
    theme: string;
    themeIs: (values: { scheme: string | number }) => string;
    light: string;
    dark: string;
    auto: string;
    language: string;
    find: string;
  };
  banners: {
    unreachable: string;
    maintenance: string;
    maintenancePlanned: (values: { from: string | number; to: string | number }) => string;
    maintenanceUntil: (values: { time: string | number }) => string;
  };
  signIn: {
    title: string;
    name: string;
    passphrase: string;
    submit: string;
    forgotten: string;
    inBrowser: (values: { address: string | number }) => string;
    code: string;
    codeText: string;
    useCode: string;
    back: string;
    passkey: string;
    provider: (values: { provider: string | number }) => string;
    returning: string;
    ended: string;
    recovered: string;
  };
  actions: {
    save: string;
    cancel: string;
    close: string;
    next: string;
    retry: string;
    copy: string;
    copied: string;
    more: string;
    clear: string;
    saveFilter: string;
    remove: string;
    removeFilter: (values: { name: string | number }) => string;
    removeFilterText: string;
    filterName: string;
    saved: string;
  };
  table: {
    loading: string;
    shown: (values: { count: number }) => string;
  };
  confirm: {
    reason: string;
    reasonHelp: (values: { min: string | number }) => string;
    reasonCount: (values: { count: string | number; max: string | number }) => string;
    typeName: (values: { name: string | number }) => string;
  };
  obstacles: {
    unchanged: string;
    incomplete: string;
    needsReason: string;
    needsName: string;
    outOfRange: string;
    tick: string;
  };
  errors: {
    title: string;
    actionTitle: string;
    unreachable: string;
    portal: string;
    busy: string;
    server: string;
    languageFailed: string;
    pageMissing: string;
    pageMissingText: (values: { keys: string | number }) => string;
  };
  time: {
    utc: (values: { time: string | number }) => string;
    justNow: string;
    never: string;
  };
  palette: {
    placeholder: string;
    nothing: string;
    pages: string;
    actions: string;
    jump: string;
    tasks: {
      roll: string;
      pair: string;
      event: string;
      erase: string;
      backups: string;
      network: string;
      retention: string;
      matching: string;
      sms: string;
      maintenance: string;
      languages: string;
    };
    records: string;
    search: {
      people: (values: { text: string | number }) => string;
      sessions: (values: { text: string | number }) => string;
    };
    session: (values: { id: string | number }) => string;
    person: (values: { id: string | number }) => string;
    system: string;
    found: string;
    kinds: {
      person: string;
      session: string;
      event: string;
      key: string;
      request: string;
    };
  };
  hotkeys: {
    title: string;
    find: string;
    help: string;
    rows: string;
    open: string;
    close: string;
  };
  keys: {
    find: string;
    findOnMac: string;
    enter: string;
    escape: string;
  };
  forms: {
    discardTitle: string;
    discardText: string;
    keepEditing: string;
    discard: string;
    restored: string;
    conflict: string;
    conflictText: string;
    changedBy: (values: { who: string | number; time: string | number }) => string;
    yours: (values: { value: string | number }) => string;
    theirs: (values: { value: string | number }) => string;
    chooseFirst: string;
    yes: string;
    no: string;
    nothing: string;
    hidden: string;
  };
};
