// Written by `npm run locales` from locales/en. Do not edit.
export type OutcomesMessages = {
  names: {
    open: string;
    approved: string;
    again: string;
    flagged: string;
    already: string;
    in_review: string;
    denied: string;
    declined: string;
    unfinished: string;
    locked: string;
    revoked: string;
    expired: string;
    cancelled: string;
  };
  letInBy: (values: { name: string | number; reason: string | number }) => string;
  letInByHand: (values: { reason: string | number }) => string;
  reasons: {
    collision: string;
    collision_company: string;
    duplicate_account: string;
    identity_mismatch: string;
    external_identity_mismatch: string;
    face_self_mismatch: string;
    linked_denial: string;
    limit_reached: string;
    usage_cap_exceeded: string;
    not_recognised: string;
    blocked: string;
    pass_locked: string;
    liveness_failed: string;
    spoof_suspected: string;
    capture_untrusted: string;
    capture_doubtful: string;
    declined: string;
    reviewer_denied: string;
    manual_override: string;
  };
  decisions: {
    same_person: string;
    different_people: string;
    same_person_allow: string;
  };
  devices: {
    mobile: string;
    desktop: string;
    kiosk: string;
  };
  captures: {
    signed: string;
    unsigned: string;
  };
  counts: {
    letIn: string;
    turnedAway: string;
    declined: (values: { count: number }) => string;
  };
};
