// Written by `npm run locales` from locales/en. Do not edit.
export type AuditMessages = {
  text: string;
  export: string;
  verify: string;
  intact: (values: { count: string | number }) => string;
  head: string;
  headHelp: string;
  broken: (values: { entry: string | number }) => string;
  action: string;
  by: string;
  byPeople: string;
  byAll: string;
  areas: {
    checks: string;
    reviews: string;
    people: string;
    events: string;
    kiosks: string;
    operators: string;
    keys: string;
    webhooks: string;
    verifications: string;
    company: string;
    settings: string;
    data: string;
  };
  actor: string;
  subject: string;
  at: string;
  entry: (values: { seq: string | number }) => string;
  number: string;
  hash: string;
  actionHelp: string;
  actorHelp: string;
  subjectHelp: string;
  from: string;
  to: string;
  emptyTitle: string;
  emptyText: string;
  notLoaded: string;
  what: string;
  raw: string;
  reason: string;
  history: string;
  unknown: (values: { actor: string | number; action: string | number }) => string;
  actors: {
    system: string;
    cli: string;
    person: string;
    firstStart: string;
    recovery: string;
  };
  subjects: {
    unknownName: string;
    many: string;
  };
  sentences: {
    key: {
      issue: (values: { actor: string | number; subject: string | number }) => string;
      rename: (values: { to: 'none' | string & {}; actor: string | number; from: string | number }) => string;
      roll: (values: { actor: string | number; subject: string | number }) => string;
      revoke: (values: { actor: string | number; subject: string | number }) => string;
      refused: (values: { count: number; subject: string | number }) => string;
    };
    company: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      adopt: (values: { actor: string | number; subject: string | number }) => string;
      change: (values: { actor: string | number; subject: string | number }) => string;
      remove: (values: { actor: string | number; from: string | number }) => string;
      zone: (values: { actor: string | number; subject: string | number }) => string;
    };
    limit: {
      set: (values: { to: 'none' | string & {}; actor: string | number; subject: string | number }) => string;
    };
    verification: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      update: (values: { actor: string | number; subject: string | number }) => string;
    };
    operator: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      rename: (values: { actor: string | number; from: string | number; to: string | number }) => string;
      role: (values: { to: 'staff' | 'reviewer' | string & {}; actor: string | number; subject: string | number }) => string;
      disable: (values: { actor: string | number; subject: string | number }) => string;
      enable: (values: { actor: string | number; subject: string | number }) => string;
      companies: (values: { actor: string | number; subject: string | number }) => string;
      reset: (values: { actor: string | number; subject: string | number }) => string;
      passphrase: (values: { actor: string | number }) => string;
      pin_set: (values: { actor: string | number }) => string;
      pin_removed: (values: { actor: string | number }) => string;
      pin_used: (values: { actor: string | number; subject: string | number }) => string;
      pin_failed: (values: { count: number; subject: string | number }) => string;
      sign_in_failed: (values: { count: number; subject: string | number }) => string;
      locked_out: (values: { count: number; subject: string | number }) => string;
      role_refused: (values: { count: number; actor: string | number }) => string;
      sign_in: (values: { actor: string | number }) => string;
      sign_out: (values: { actor: string | number }) => string;
      sign_out_everywhere: (values: { actor: string | number }) => string;
      session_ended: (values: { actor: string | number }) => string;
      second_factor_on: (values: { actor: string | number }) => string;
      second_factor_off: (values: { actor: string | number }) => string;
      second_factor_reset: (values: { actor: string | number; subject: string | number }) => string;
      recovery_codes: (values: { actor: string | number }) => string;
      passkey_added: (values: { actor: string | number }) => string;
      passkey_renamed: (values: { actor: string | number }) => string;
      passkey_removed: (values: { actor: string | number }) => string;
      passkeys_reset: (values: { actor: string | number; subject: string | number }) => string;
    };
    filter: {
      save: (values: { actor: string | number }) => string;
      delete: (values: { actor: string | number }) => string;
    };
    review: {
      open: (values: { subject: string | number }) => string;
      claim: (values: { actor: string | number; subject: string | number }) => string;
      release: (values: { actor: string | number; subject: string | number }) => string;
      assign: (values: { to: 'none' | string & {}; actor: string | number; subject: string | number }) => string;
      choose: (values: { decision: 'same_person' | 'same_person_allow' | 'different_people' | string & {}; actor: string | number; subject: string | number }) => string;
      opinion: (values: { actor: string | number; subject: string | number }) => string;
      undo: (values: { actor: string | number; subject: string | number }) => string;
      note: (values: { actor: string | number; subject: string | number }) => string;
      photo: (values: { actor: string | number; subject: string | number }) => string;
      request: (values: { actor: string | number; subject: string | number }) => string;
      decide: (values: { actor: string | number; subject: string | number }) => string;
      control: (values: { decision: 'right' | string & {}; actor: string | number; subject: string | number }) => string;
      controls: (values: { actor: string | number; from: string | number; to: string | number }) => string;
      control_picture: (values: { actor: string | number }) => string;
      control_picture_removed: (values: { actor: string | number }) => string;
    };
    run: {
      settle: (values: { decision: 'approved' | 'denied' | string & {}; subject: string | number }) => string;
      join: (values: { subject: string | number }) => string;
      skip: (values: { subject: string | number }) => string;
      expire: (values: { subject: string | number }) => string;
    };
    session: {
      reopen: (values: { actor: string | number; subject: string | number }) => string;
      again: (values: { actor: string | number; subject: string | number }) => string;
      cancel: (values: { actor: string | number; subject: string | number }) => string;
      export: (values: { actor: string | number; subject: string | number }) => string;
    };
    invite: {
      revoke: (values: { actor: string | number; subject: string | number }) => string;
    };
    pass: {
      test: (values: { actor: string | number; subject: string | number }) => string;
      override: (values: { decision: 'approve' | string & {}; actor: string | number; subject: string | number }) => string;
      lock: (values: { actor: string | number; subject: string | number }) => string;
      unlock: (values: { actor: string | number; subject: string | number }) => string;
    };
    person: {
      export: (values: { actor: string | number; subject: string | number }) => string;
      import: (values: { actor: string | number; count: number }) => string;
      erase: (values: { actor: string | number; subject: string | number }) => string;
      block: (values: { decision: 'review' | string & {}; actor: string | number; subject: string | number }) => string;
      unblock: (values: { actor: string | number; subject: string | number }) => string;
      told_apart: (values: { actor: string | number; subject: string | number }) => string;
      told_apart_undone: (values: { actor: string | number; subject: string | number }) => string;
      disconnect: (values: { subject: string | number }) => string;
    };
    test_data: {
      clear: (values: { actor: string | number; subject: string | number }) => string;
    };
    test_clock: {
      advance: (values: { actor: string | number; subject: string | number }) => string;
    };
    retention: {
      change: (values: { actor: string | number }) => string;
      run: string;
      put_off: string;
      resumed: string;
      confirm: (values: { actor: string | number }) => string;
    };
    clock: {
      accepted: (values: { actor: string | number }) => string;
    };
    event: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      update: (values: { actor: string | number; subject: string | number }) => string;
      faces_ended: (values: { subject: string | number }) => string;
      logo: (values: { actor: string | number; subject: string | number }) => string;
      logo_removed: (values: { actor: string | number; subject: string | number }) => string;
      picture: (values: { actor: string | number; subject: string | number }) => string;
      picture_removed: (values: { actor: string | number; subject: string | number }) => string;
    };
    ticket: {
      admit: (values: { actor: string | number; subject: string | number }) => string;
      leave: (values: { actor: string | number; subject: string | number }) => string;
      let_in: (values: { actor: string | number; subject: string | number }) => string;
      children: (values: { actor: string | number; count: number; subject: string | number }) => string;
      undo: (values: { actor: string | number; subject: string | number }) => string;
      badge_again: (values: { actor: string | number; subject: string | number }) => string;
    };
    ticket_rules: {
      change: (values: { actor: string | number; subject: string | number }) => string;
    };
    shift: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      revoke: (values: { actor: string | number }) => string;
      join: (values: { actor: string | number; subject: string | number }) => string;
      call: (values: { actor: string | number; subject: string | number }) => string;
      call_ended: (values: { actor: string | number; subject: string | number }) => string;
    };
    code: {
      make: (values: { actor: string | number; subject: string | number }) => string;
    };
    code_key: {
      rotate: (values: { actor: string | number; subject: string | number; count: number }) => string;
    };
    ticket_source: {
      add: (values: { actor: string | number; to: string | number; subject: string | number }) => string;
      import: (values: { actor: string | number; to: string | number; subject: string | number; count: number }) => string;
      remove: (values: { actor: string | number; to: string | number; subject: string | number }) => string;
      choose: (values: { actor: string | number; to: string | number; subject: string | number }) => string;
      roll: (values: { actor: string | number; to: string | number; subject: string | number }) => string;
      tell_again: (values: { actor: string | number; to: string | number; subject: string | number; count: number }) => string;
    };
    kiosk: {
      create: (values: { actor: string | number; subject: string | number }) => string;
      update: (values: { actor: string | number; subject: string | number }) => string;
      revoke: (values: { actor: string | number; subject: string | number }) => string;
      code: (values: { actor: string | number; subject: string | number }) => string;
      paired: (values: { subject: string | number }) => string;
      unpaired: (values: { actor: string | number; subject: string | number }) => string;
      command: (values: { actor: string | number; subject: string | number }) => string;
    };
    webhook_config: {
      save: (values: { actor: string | number; webhook: string | number; subject: string | number }) => string;
      delete: (values: { actor: string | number; webhook: string | number; subject: string | number }) => string;
      disable: (values: { webhook: string | number }) => string;
    };
    webhook_destination: {
      pause: (values: { actor: string | number; subject: string | number }) => string;
      resume: (values: { actor: string | number; subject: string | number }) => string;
    };
    webhook_secret: {
      show: (values: { actor: string | number; subject: string | number }) => string;
      rotate: (values: { actor: string | number; subject: string | number }) => string;
    };
    webhook_call: {
      rerun: (values: { actor: string | number; subject: string | number }) => string;
      try_now: (values: { actor: string | number; subject: string | number }) => string;
      rerun_failed: (values: { actor: string | number; subject: string | number }) => string;
      test: (values: { actor: string | number; webhook: string | number }) => string;
    };
    webhook_allow_hosts: {
      save: (values: { actor: string | number }) => string;
    };
    usage: {
      export: (values: { actor: string | number; subject: string | number }) => string;
    };
    audit: {
      export: (values: { actor: string | number }) => string;
      checkpoint: string;
    };
    lan: {
      changed: (values: { actor: string | number }) => string;
      authority_created: string;
    };
    metrics_token: {
      make: (values: { actor: string | number }) => string;
      revoke: (values: { actor: string | number }) => string;
    };
    recording: {
      make: (values: { actor: string | number }) => string;
      delete: (values: { actor: string | number }) => string;
    };
    result_token_key: {
      rotate: (values: { actor: string | number }) => string;
    };
    database_key: {
      rotate: (values: { actor: string | number }) => string;
    };
    database_log: {
      damaged: string;
    };
    data: {
      reopen: (values: { actor: string | number }) => string;
    };
    maintenance: {
      on: (values: { actor: string | number }) => string;
      off: (values: { actor: string | number }) => string;
      plan: (values: { actor: string | number }) => string;
      cancel: (values: { actor: string | number }) => string;
    };
    backup: {
      create: (values: { actor: string | number }) => string;
      settings: (values: { actor: string | number }) => string;
      phrase: (values: { actor: string | number }) => string;
      phrase_withdrawn: (values: { actor: string | number }) => string;
      restore_begun: (values: { actor: string | number }) => string;
      restore_confirmed: (values: { actor: string | number }) => string;
      restore: (values: { actor: string | number }) => string;
    };
    update: {
      accept: (values: { actor: string | number }) => string;
      withdraw: (values: { actor: string | number }) => string;
      install: (values: { actor: string | number }) => string;
      roll_back: (values: { actor: string | number }) => string;
    };
    sms: {
      change: (values: { actor: string | number }) => string;
      test: (values: { actor: string | number }) => string;
    };
    oidc: {
      change: (values: { actor: string | number }) => string;
    };
    matching: {
      margin: (values: { actor: string | number; from: string | number; to: string | number }) => string;
      second_opinion: (values: { actor: string | number; from: string | number; to: string | number }) => string;
    };
    limits: {
      change: (values: { actor: string | number }) => string;
    };
    papers: {
      keep: (values: { actor: string | number; subject: string | number }) => string;
    };
    languages: {
      change: (values: { actor: string | number }) => string;
    };
  };
};
