/** Requests and replies of v3. A test compares them with the schemas of the service. */

/** Every field is optional; which ones need a secret key does not matter here, because the client has one. */
export type InitializeRequest = {
  /** Domain that the verification starts from. */
  origin?: string;
  /** Path on `origin` that the person returns to. */
  return_path?: string;
  /** Path on `origin` that the person comes from. */
  start_path?: string;
  /** Verification to run, instead of your company’s default. */
  verification_id?: string;
  /** Email address of the person. The run accepts no other. */
  email?: string;
  /** Phone number of the person. The run accepts no other. */
  phone?: string;
  /** Your own ID for this run or ticket. */
  external_id?: string;
  /** Uniqueness pool of the run, such as one evening. */
  group?: string;
  /** Other groups whose history also counts for this run. */
  include_groups?: string[];
  /** Address that the person returns to when the run ends. */
  redirect_url?: string;
  /** Extra query parameters for the return address. */
  pass_params?: Record<string, string>;
  /** Test keys only: replaces the options of the verification for this run. */
  config?: Record<string, unknown>;
  /** Return the person without a result screen. */
  auto_return?: boolean;
  /** Your own fields about the person. */
  metadata?: Record<string, string | number | boolean>;
};

export type InitializeResponse = {
  /** Hosted link. Send the person there. */
  url: string;
  session_id: string | null;
  invite_id: string | null;
};

export type Confirmation = {
  /** Let the person in only if this is true. */
  verified: boolean;
  status: 'approved' | 'denied';
  /** Findings behind the verdict; empty on a clean pass. */
  reasons: string[];
  /** The person chose not to be checked. */
  declined: boolean;
  group: string | null;
  groups: string[];
  id: string;
  confirmed_at: string;
  locked: boolean;
  is_test: boolean;
  score: number | null;
  band: string | null;
  external_id: string | null;
  identity: { provider: 'email' | 'phone' | 'test'; identifier: string } | null;
  verification: { external_id: string | null; external_tenant_id: string | null };
};

/** Send `email` or `phone`. */
export type LookupRequest = {
  email?: string;
  phone?: string;
  /** Search only this verification. */
  verification_id?: string;
  /** Search only this group. */
  group?: string;
};

export type TestTokenRequest = {
  /** Without it, `approved`. */
  status?: 'approved' | 'denied';
  reasons?: string[];
  verification_id?: string;
};

/** A one-use code for a guest who passed, checked with `verifyCode`. */
export type HumansOnlyCode = { code: string; event_id: string; key_id: string; expires_at: string };

export type RedeemedCode = { event_id: string; serial: string; redeemed_at: string };

export type CodeKeys = {
  event_id: string;
  /** The key of new codes first. */
  items: { key_id: string; public_key: string; created_at: string; codes: number; redeemed: number }[];
};

export type TestClock = { advanced_seconds: number };

export type TestTokenResponse = { token: string; verified: boolean };

/** One problem of a request that does not match its schema. */
export type ValidationProblem = {
  /** Path to the value: `body`, `query` or `path`, then names and positions. */
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
};
