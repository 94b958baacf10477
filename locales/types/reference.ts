// Written by `npm run locales` from locales/en. Do not edit.
export type ReferenceMessages = {
  title: string;
  skip: string;
  loading: string;
  loadFailed: string;
  version: string;
  server: string;
  document: string;
  api: string;
  contents: string;
  introduction: string;
  operations: string;
  sections: {
    keys: string;
    run: string;
    embedding: string;
    'test-faces': string;
    reasons: string;
    errors: string;
    deprecated: string;
  };
  keys: readonly (string)[];
  run: readonly (string)[];
  embedding: readonly (string)[];
  sdk: string;
  testFaces: {
    intro: string;
    alice: string;
    near: string;
    spoof: string;
    blurred: string;
    sample: string;
    after: string;
  };
  reasons: string;
  errors: string;
  deprecatedFields: string;
  operation: {
    deprecated: string;
    key: string;
    request: string;
    response: string;
    errors: string;
    noFields: string;
    jsonObject: string;
    address: string;
  };
  fields: {
    field: string;
    type: string;
    meaning: string;
    required: string;
    optional: string;
    mayBeAbsent: string;
    key: string;
  };
  errorTable: {
    status: string;
    meaning: string;
  };
  copy: {
    label: string;
    copied: string;
    selected: string;
  };
  try: {
    title: string;
    missing: string;
    key: string;
    keyHint: string;
    inAddress: string;
    body: string;
    send: string;
    problems: {
      key_missing: string;
      key_live: string;
      key_unsendable: string;
      live_key_elsewhere: string;
      value_missing: string;
      not_json: string;
    };
    duration: (values: { ms: string | number }) => string;
  };
  result: {
    idle: string;
    sending: string;
    failed: string;
    tokenKept: string;
    openLink: string;
  };
  schema: {
    anyType: string;
    either: (values: { first: string | number; second: string | number }) => string;
    container: (values: { type: string | number; types: string | number }) => string;
    plural: (values: { type: string | number }) => string;
  };
  bounds: {
    characters: (values: { count: number }) => string;
    items: (values: { count: number }) => string;
    entries: (values: { count: number }) => string;
    between: (values: { least: string | number; most: string | number }) => string;
    atLeast: (values: { least: string | number }) => string;
    atMost: (values: { most: string | number }) => string;
    choice: (values: { values: string | number }) => string;
    each: (values: { bound: string | number }) => string;
    names: (values: { bound: string | number }) => string;
    values: (values: { bound: string | number }) => string;
    standard: (values: { value: string | number }) => string;
  };
};
