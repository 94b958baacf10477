/** What the reference says beyond the document: meanings, and a body to start from. */

/** Meanings of reasons. The list itself is the document's, an open set. */
export const REASON_MEANINGS: Readonly<Record<string, string>> = {
  identity_mismatch: 'The email or phone of the run belongs to another person.',
  external_identity_mismatch: 'The `external_id` of the run belongs to another person.',
  pass_locked: 'The person’s pass on this verification was locked as used.',
  limit_reached: 'The person has used up the verification’s limit.',
  collision: 'The person already holds an approved pass in the group, or in an included one.',
  collision_company: 'The person already holds an approved pass with the company; the run had no group.',
  duplicate_account: 'The person is known under another `external_id`.',
  linked_denial: 'The person was denied before for deceit, or by a reviewer.',
  face_self_mismatch: 'The pictures of the run do not show one and the same person.',
  liveness_failed: 'No live person could be made out in any attempt.',
  spoof_suspected: 'A picture, a screen or a mask seems to have been shown.',
  usage_cap_exceeded: 'The day’s number of runs is used up. It starts again at 00:00 UTC.',
  declined: 'The person chose not to be checked.',
  reviewer_denied: 'A reviewer decided that it is the same person.',
  manual_override: 'Someone set the verdict by hand.',
};

/** Meanings of the codes of errors: `detail` of v3, `failure_code` of v1 and v2. */
export const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  authentication_required: 'No key was sent.',
  invalid_key_type: 'Not one of the four kinds of key, or a publishable key where a secret one is needed.',
  invalid_or_revoked_key: 'The key has the right form but is unknown or revoked.',
  identifiers_require_secret_key: 'A field that only a secret key may send came with a publishable key.',
  one_identifier_only: 'Send either `email` or `phone`, not both; a lookup needs one of them.',
  identifier_unrecognized: 'The email or phone cannot be read as one.',
  start_path_requires_origin: '`start_path` came without `origin`.',
  invalid_origin: '`origin` is no domain and no origin.',
  invalid_redirect_url:
    '`redirect_url` must be an absolute https address without a user name or password (http for localhost and private addresses only).',
  redirect_url_requires_session: '`redirect_url` cannot go with `expire_in_days`.',
  group_requires_session: '`group` and `include_groups` cannot go with `expire_in_days`.',
  expire_in_days_requires_email: '`expire_in_days` needs an `email`.',
  metadata_requires_identifier: '`metadata` needs an `email`, `phone` or `external_id` to belong to.',
  config_requires_test_key: '`config` may come with a test key only.',
  no_matching_verification: 'No verification of the company fits the request.',
  too_many_sessions:
    'Too many sessions were started with publishable keys or links from this address within an hour. Try again after the seconds in `Retry-After`.',
  identity_already_claimed: 'Another person has proven this email or phone.',
  external_id_already_exists: 'This `external_id` is bound to another verification.',
  'config_incomplete: missing …': '`config` names options that this server does not know.',
  invalid_confirmation_token: 'The token is malformed, or its signature is wrong.',
  'not found': 'Nothing is there that this key may see.',
  token_expired: 'More than 30 minutes have passed; the token can no longer be exchanged.',
  no_settled_pass: 'No run with this email or phone has settled.',
  unknown_reason: 'A reason is not in the list; `reasons` names the known ones.',
  test_key_required: 'Only a secret test key may do this.',
  SERVICE_TEMPORARILY_UNAVAILABLE: 'Maintenance is on. Try again after the seconds in `Retry-After`.',
  INVALID_API_ACCESS: 'A required input is missing; `failure_reason` names it.',
  INVALID_API_KEY: 'No API key was sent, or one that is unknown or revoked.',
  INVALID_REQUEST: 'A field does not fit, or v1 misses a required one; `failure_reason` names it.',
  DOES_NOT_EXIST: 'Nothing matches that this key may see.',
  EXPIRED: 'The token is older than 15 minutes. Ask with the `external_id`.',
  DEMO_ACCOUNT_REQUIRED: 'The sandbox is for demo keys, or for no key at all.',
  RATE_LIMITED:
    'More than 5 calls a minute without a working key. Try again after the seconds in `Retry-After`.',
  INTERNAL_ERROR: 'Something went wrong here. `failure_reason` carries an id that our log repeats.',
};

/** Meanings of fields whose schema brings no words, by their last name. */
export const FIELD_MEANINGS: Readonly<Record<string, string>> = {
  url: 'The hosted link to send the person to.',
  session_id: 'The run’s session; null with `expire_in_days`.',
  verified: 'True only where the check passed and the pass is not locked. Gate access on it.',
  status: 'The verdict. Approved with reasons means passed with findings.',
  reasons: 'Findings behind the verdict. Never empty on a denied pass, empty on a clean one.',
  declined: 'The person chose not to be checked: denied, but not failed.',
  group: 'The group that the run was judged in; null where it had none.',
  groups: 'Groups whose history caused the findings.',
  id: 'The pass.',
  webhook_type: 'The kind of event.',
  destination_url: 'Where calls of this kind are sent.',
  transaction_id: 'The call, by the id that every attempt repeats.',
  confirmed_at: 'When the verdict settled.',
  locked: 'The pass was consumed.',
  is_test: 'Belongs to the test partition.',
  score: '0 to 100, higher is riskier.',
  band: '`low` below 30, `medium` below 70, else `high`.',
  external_id: 'Your own id, null where you gave none.',
  identity: 'Filled only where sharing is on and a credential was proven.',
  provider: 'The kind of credential.',
  identifier: 'The email or phone.',
  verification: 'The verification that the run belongs to.',
  external_tenant_id: 'Your own id of the tenant, null where there is none.',
  token: 'The result token (`vyt`).',
  verification_id: 'The verification’s id.',
  origin: 'Where runs start from.',
  return_path: 'Where on `origin` the person returns to.',
  start_path: 'Where on `origin` the person comes from.',
  redirect_url: 'Where the person lands when the run ends.',
  asset_id: 'The picture shown with it.',
  config: 'Its options; others than these may be there.',
  require_account: 'Whether a person needs an account.',
  is_demo: 'Whether it is for showing only.',
  track_attributes: 'Attributes that are kept track of.',
  items: 'The page of verifications.',
  total: 'How many there are in all.',
  limit: 'How many come in one page.',
  offset: 'How many are skipped first.',
  valid: 'False for an unknown or revoked key.',
  key_type: 'The kind that the key’s form tells.',
  customer_id: 'The company that the key belongs to; null where it is unknown.',
};

/** Bodies to start from, by operation; `{}` elsewhere. */
const EXAMPLES: Readonly<Record<string, object>> = {
  initialize: {
    redirect_url: 'https://shop.example.com/return',
    external_id: 'order-1042',
    group: 'spring-fair',
  },
  lookUpByIdentity: { email: 'guest@example.com' },
  createVerification: {
    external_id: 'guest-1042',
    redirect: 'https://shop.example.com/return',
    region: 'spring-fair',
  },
  readVerificationStatus: { external_id: 'guest-1042' },
  makeSandboxPhoneNumber: { type: 'us', area_code: '210' },
  readSandboxCode: { phone_number: '+12105550142' },
  registerUser: {
    reference_user_id: 'guest-1042',
    data_request: [{ type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID' }],
  },
  readUserStatus: { reference_user_id: 'guest-1042' },
  settleTestPass: { status: 'denied', reasons: ['collision'] },
};

export function exampleBody(operationId: string): string {
  return JSON.stringify(EXAMPLES[operationId] ?? {}, null, 2);
}
