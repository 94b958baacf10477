// Written by `npm run locales` from locales/en. Do not edit.
export type ReviewsMessages = {
  text: string;
  takeNext: string;
  nothingFree: string;
  emptyTitle: string;
  emptyText: string;
  noMatchTitle: string;
  noMatchText: string;
  figures: {
    label: string;
    waiting: string;
    held: (values: { count: string | number }) => string;
    oldest: string;
    none: string;
    hour: string;
    day: (values: { count: string | number }) => string;
    mean: string;
    meanHint: string;
  };
  columns: {
    run: string;
    age: string;
    found: string;
    similarity: string;
    state: string;
    group: string;
  };
  filters: {
    state: string;
    reason: string;
    group: string;
    anyReason: string;
  };
  states: {
    waiting: string;
    free: string;
    mine: string;
    deciding: string;
    decided: string;
  };
  walkUpGuest: string;
  free: string;
  heldBy: (values: { name: string | number }) => string;
  heldByMe: string;
  age: {
    atDoor: (values: { time: string | number }) => string;
    atKiosk: (values: { time: string | number; kiosk: string | number }) => string;
    long: string;
    late: string;
  };
  findings: {
    collision: string;
    collision_company: string;
    duplicate_account: string;
    linked_denial: string;
    capture_untrusted: string;
    blocked: string;
    capture_doubtful: string;
  };
  otherFinding: (values: { reason: string | number }) => string;
  caseTitle: (values: { name: string | number }) => string;
  backToQueue: string;
  place: (values: { index: string | number; count: string | number }) => string;
  previous: string;
  next: string;
  sides: {
    run: string;
    match: string;
  };
  matches: string;
  matchNumber: (values: { number: string | number }) => string;
  pictureOf: (values: { side: string | number; number: string | number }) => string;
  showPicture: (values: { side: string | number; number: string | number }) => string;
  noPicture: {
    testFace: (values: { name: string | number }) => string;
    none: string;
    match: string;
    claimPhoto: string;
    photoClosed: string;
    nobody: string;
    erased: string;
    keepPhotos: string;
    keepPhotosOf: (values: { name: string | number }) => string;
  };
  zoom: {
    label: string;
    in: string;
    out: string;
    reset: string;
  };
  similarity: {
    label: string;
    same: (values: { same: string | number }) => string;
    near: (values: { near: string | number; same: string | number }) => string;
    below: (values: { near: string | number }) => string;
    none: string;
    markNear: string;
    markSame: string;
    heading: (values: { value: string | number }) => string;
  };
  proof: string;
  proofAbove: string;
  signs: {
    title: string;
    none: string;
    about: string;
    of: {
      looks_like_a_picture: string;
      nose_did_not_turn: string;
      motion_unlike_a_head: string;
      surroundings_moved_along: string;
      fine_regular_pattern: string;
      straight_rim: string;
      eyes_or_mouth_did_not_follow: string;
      light_of_another_time: string;
      page_light_unseen: string;
    };
  };
  openSession: string;
  openPerson: string;
  facts: {
    account: string;
    identifier: string;
    group: string;
    verification: string;
    started: string;
    device: string;
    capture: string;
    score: string;
    knownSince: string;
    lastSeen: string;
    toldApart: string;
    people: (values: { count: number }) => string;
    more: string;
    event: string;
  };
  lookAlikes: (values: { names: string | number }) => string;
  history: {
    run: string;
    match: string;
    none: string;
    locked: string;
  };
  notes: {
    title: string;
    none: string;
    add: string;
    help: string;
    save: string;
  };
  decisions: {
    same_person: string;
    different_people: string;
    same_person_allow: string;
  };
  decide: string;
  reasonFor: string;
  reasons: {
    same_person: readonly (string)[];
    different_people: readonly (string)[];
    same_person_allow: readonly (string)[];
  };
  submitNext: string;
  claim: string;
  agreement: {
    title: (values: { days: string | number }) => string;
    text: string;
    line: (values: { name: string | number; differed: string | number; decided: string | number }) => string;
  };
  controls: {
    title: (values: { days: string | number }) => string;
    text: string;
    line: (values: { name: string | number; wrong: string | number; decided: string | number; low: string | number; high: string | number }) => string;
    yours: string;
    told: (values: { wrong: 'yes' | string & {}; answer: 'same' | string & {}; decision: string | number }) => string;
  };
  opinion: {
    ask: string;
    needed: string;
    admin: string;
    yours: string;
    takeBack: string;
    blind: string;
    differ: string;
    label: string;
    given: (values: { name: string | number; decision: string | number }) => string;
  };
  claimFirst: string;
  release: string;
  heldByFor: (values: { name: string | number; left: string | number }) => string;
  heldByMeFor: (values: { left: string | number }) => string;
  heldUntil: (values: { name: string | number; left: string | number }) => string;
  pendingBy: (values: { name: string | number; decision: string | number; left: string | number }) => string;
  decidedBy: (values: { decision: string | number; name: string | number; time: string | number; reason: string | number }) => string;
  actors: {
    cli: string;
    system: string;
  };
  undo: {
    yours: (values: { name: string | number; decision: string | number; left: string | number }) => string;
    button: string;
    more: (values: { count: number }) => string;
    label: string;
    together: (values: { count: number; decision: string | number; left: string | number }) => string;
    apply: string;
  };
  keys: {
    next: string;
    previous: string;
    claim: string;
    decideLater: string;
    submitLater: string;
    decide: (values: { decision: string | number }) => string;
    undo: string;
    release: string;
    queue: string;
    closer: string;
    further: string;
    rows: string;
    reason: string;
    details: string;
    select: string;
  };
  reasonDetails: string;
  chooseFirst: string;
  together: {
    selected: (values: { count: number }) => string;
    unlike: string;
    clear: string;
    submit: (values: { count: number }) => string;
    select: (values: { name: string | number }) => string;
    faces: string;
    compared: string;
  };
  assign: {
    label: string;
    nobody: string;
    to: (values: { name: string | number }) => string;
  };
  looksLike: (values: { name: string | number }) => string;
  matchSimilar: (values: { number: string | number; value: string | number }) => string;
};
