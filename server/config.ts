/** Settings of the server, from its command line and environment. */
import path from 'node:path';
import { ATTACK_THRESHOLDS, type AttackThresholds } from './domain/capture/attack/weights.ts';
import { AUDIT_FORMATS } from './domain/operators/audit-message.ts';
import { parseAllowHosts } from './domain/webhooks/destination.ts';
import { ConfigError } from './data/errors.ts';
import { type DatabaseLocation, databaseFrom, dataDirFrom } from './data/location.ts';
import { INSTALLATION } from './program-files.ts';
import type { AuditExportSetting } from './services/operators/audit-export.ts';
import { type SmsSetting, TWILIO_API } from './services/phone/sms-settings.ts';

export type ServerConfig = DatabaseLocation & {
  /** Folder of the database, its key and the installation’s other files. */
  dataDir: string;
  host: string;
  /** Public listener; 0 picks a free port. */
  port: number;
  /** The console’s listener: by default the next port, on loopback only. */
  consoleHost: string;
  consolePort: number;
  /** Additional host names of the console. */
  consoleNames: readonly string[];
  /** Advertised origin; null means the listening address. */
  publicUrl: string | null;
  /** Additional names and addresses that the service accepts if an origin is advertised. */
  publicNames: readonly string[];
  /** Model files (`fr_*.onnx`, `face_landmarker.task`). */
  modelDir: string;
  /** Model manifests. */
  manifestDir: string;
  /** Network mode: turned on regardless of the settings, and the first of its three ports. */
  lan: { isForced: boolean; port: number };
  /** Built pages. */
  pagesDir: string;
  logLevel: LogLevel;
  /** Private or plain-http hosts that webhooks can go to, normalised. */
  webhookAllowHosts: readonly string[];
  /** How phone codes are sent; staff read them out unless a gateway is set. */
  sms: SmsSetting;
  /** Attack score, by challenge mode, from which a capture is refused as an attack. */
  attackThresholds: AttackThresholds;
  /** Faces of resting stills are kept for 24 hours, to recognise old stills. */
  remembersFaces: boolean;
  /** Time between the 503 of `/readyz` and the end of the listeners, if other nodes serve the database. */
  drainMs: number;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted, counted from this server. */
  trustedHops: number;
  /** Where vulnerabilities are reported, as a URI; null without `security.txt`. */
  securityContact: string | null;
  /** Where the audit log is sent. */
  auditExport: AuditExportSetting;
  /** Whatever runs the server starts it again when it ends to take a restored backup. */
  isSupervised: boolean;
  /** A new version that shows whether it works: it does nothing of its own, and nobody can reach it. */
  isTrial: boolean;
};

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const DEFAULT_DRAIN_SECONDS = 3;
const MOST_DRAIN_SECONDS = 300;
const DEFAULT_PORT = 4180;
const DEFAULT_HOST = '127.0.0.1';

type ServeOptions = {
  dataDir?: string;
  host?: string;
  port?: string;
  consolePort?: string;
  lan?: boolean;
};

/** @throws ConfigError */
export function serverConfig(options: ServeOptions, env: NodeJS.ProcessEnv = process.env): ServerConfig {
  const port = parsePort(options.port ?? env['GATEHOUSE_PORT'], '--port') ?? DEFAULT_PORT;
  const nextPort = port === 0 ? 0 : port + 1;
  return {
    dataDir: dataDirFrom(options.dataDir, env),
    ...databaseFrom(env),
    host: options.host ?? (env['GATEHOUSE_HOST'] || DEFAULT_HOST),
    port,
    consoleHost: env['GATEHOUSE_CONSOLE_HOST'] || DEFAULT_HOST,
    consolePort:
      parsePort(options.consolePort ?? env['GATEHOUSE_CONSOLE_PORT'], '--console-port') ?? nextPort,
    consoleNames: parseNames(env['GATEHOUSE_CONSOLE_NAMES']),
    publicUrl: parsePublicUrl(env['GATEHOUSE_PUBLIC_URL']),
    publicNames: parseNames(env['GATEHOUSE_PUBLIC_NAMES']),
    modelDir: path.resolve(
      env['GATEHOUSE_MODEL_DIR'] ||
        path.join(env['GATEHOUSE_CACHE_DIR'] || path.join(INSTALLATION, '.cache'), 'models'),
    ),
    manifestDir: path.resolve(env['GATEHOUSE_MANIFEST_DIR'] || path.join(INSTALLATION, 'assets', 'models')),
    lan: {
      isForced: options.lan === true || parseSwitch(env['GATEHOUSE_LAN'], 'GATEHOUSE_LAN'),
      port: parsePort(env['GATEHOUSE_LAN_PORT'], 'GATEHOUSE_LAN_PORT') ?? (port === 0 ? 0 : port + 2),
    },
    pagesDir: path.join(INSTALLATION, 'dist'),
    logLevel: parseLogLevel(env['GATEHOUSE_LOG_LEVEL']),
    webhookAllowHosts: parseWebhookHosts(env['GATEHOUSE_WEBHOOK_ALLOW_HOSTS']),
    sms: parseSms(env),
    attackThresholds: {
      standard: parseShare(env, 'GATEHOUSE_ATTACK_STANDARD') ?? ATTACK_THRESHOLDS.standard,
      strict: parseShare(env, 'GATEHOUSE_ATTACK_STRICT') ?? ATTACK_THRESHOLDS.strict,
    },
    remembersFaces: parseSwitch(env['GATEHOUSE_REPLAY_FACES'] || '1', 'GATEHOUSE_REPLAY_FACES'),
    drainMs: parseDrain(env['GATEHOUSE_DRAIN_SECONDS']) * 1_000,
    trustedHops: parseCount(env['GATEHOUSE_TRUSTED_HOPS'], 'GATEHOUSE_TRUSTED_HOPS') ?? 0,
    securityContact: parseContact(env['GATEHOUSE_SECURITY_CONTACT']),
    auditExport: parseAuditExport(env),
    isSupervised: parseSwitch(env['GATEHOUSE_SUPERVISED'], 'GATEHOUSE_SUPERVISED'),
    isTrial: false,
  };
}

function parseSwitch(text: string | undefined, name: string): boolean {
  if (text === undefined || text === '' || text === '0') return false;
  if (text === '1') return true;
  throw new ConfigError(`${name} must be 1 or 0, not "${text}".`);
}

function parseNames(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function parsePort(text: string | undefined, name: string): number | undefined {
  const port = parseCount(text, name);
  if (port !== undefined && port > 65_535)
    throw new ConfigError(`${name} must be a port from 0 to 65535, not "${text ?? ''}".`);
  return port;
}

function parseCount(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`${name} must be a whole number, not "${text}".`);
  return Number(text);
}

function parseDrain(text: string | undefined): number {
  const seconds = parseCount(text, 'GATEHOUSE_DRAIN_SECONDS') ?? DEFAULT_DRAIN_SECONDS;
  if (seconds > MOST_DRAIN_SECONDS)
    throw new ConfigError(
      `GATEHOUSE_DRAIN_SECONDS must be from 0 to ${MOST_DRAIN_SECONDS}, not "${text ?? ''}".`,
    );
  return seconds;
}

/** Above 0, because nobody could pass at 0. */
function parseShare(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (!/^(0?\.\d{1,6}|1(\.0{1,6})?)$/.test(text) || Number(text) === 0)
    throw new ConfigError(`${name} must be a number above 0 and up to 1, not "${text}".`);
  return Number(text);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Without TLS only to a receiver on this machine, such as a forwarder. */
function parseReceiver(env: NodeJS.ProcessEnv, name: string, secure: string, plain: string): URL | null {
  const text = env[name];
  if (text === undefined || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed =
    url !== null &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === secure || (url.protocol === plain && LOOPBACK.test(url.hostname)));
  if (isAllowed) return url;
  // Not quoted, because addresses of receivers can contain their secret.
  throw new ConfigError(
    `${name} must be an address with ${secure}//, or with ${plain}// on this machine, without a user name or password.`,
  );
}

function parseAuditExport(env: NodeJS.ProcessEnv): AuditExportSetting {
  const syslog = parseReceiver(env, 'GATEHOUSE_AUDIT_SYSLOG', 'tls:', 'tcp:');
  if (syslog !== null && syslog.port === '')
    throw new ConfigError('GATEHOUSE_AUDIT_SYSLOG needs a port, as in tls://logs.example.org:6514.');
  const text = env['GATEHOUSE_AUDIT_FORMAT'] || 'json';
  const format = AUDIT_FORMATS.find((each) => each === text);
  if (format === undefined)
    throw new ConfigError(
      `GATEHOUSE_AUDIT_FORMAT must be ${AUDIT_FORMATS.join(' or ')}, not ${JSON.stringify(text)}.`,
    );
  const token = env['GATEHOUSE_AUDIT_TOKEN'] || null;
  // The failure of a call would quote it in the log.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError('GATEHOUSE_AUDIT_TOKEN must be visible ASCII characters without spaces.');
  return {
    syslog,
    https: parseReceiver(env, 'GATEHOUSE_AUDIT_URL', 'https:', 'http:'),
    token,
    format,
  };
}

/** RFC 9116 wants a URI, and web addresses with TLS. */
function parseContact(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  const uri = /^[^\s:@/]+@[^\s:@/]+$/.test(text) ? `mailto:${text}` : text;
  if (/\s/.test(uri) || !URL.canParse(uri) || !/^(https|mailto|tel):$/.test(new URL(uri).protocol))
    throw new ConfigError(
      `GATEHOUSE_SECURITY_CONTACT must be an e-mail address, an https address or tel: with a number, not ${JSON.stringify(text)}.`,
    );
  return uri;
}

function parsePublicUrl(text: string | undefined): string | null {
  if (text === undefined || text === '') return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(
      `GATEHOUSE_PUBLIC_URL must be a web address such as https://verify.example.org, not "${text}".`,
    );
  }
  const url = new URL(text);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseLogLevel(text: string | undefined): LogLevel {
  if (text === undefined || text === '') return 'info';
  const level = LOG_LEVELS.find((known) => known === text);
  if (!level)
    throw new ConfigError(`GATEHOUSE_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
  return level;
}

function parseWebhookHosts(text: string | undefined): string[] {
  const hosts = parseAllowHosts(text);
  if (!hosts) {
    throw new ConfigError(
      `GATEHOUSE_WEBHOOK_ALLOW_HOSTS must be hosts separated by commas, such as box.local,10.0.0.7, not "${text ?? ''}".`,
    );
  }
  return hosts;
}

function parseSms(env: NodeJS.ProcessEnv): SmsSetting {
  const needed = (name: string): string => {
    const value = env[name];
    if (!value)
      throw new ConfigError(`GATEHOUSE_SMS_SENDER=${env['GATEHOUSE_SMS_SENDER'] ?? ''} needs ${name}.`);
    return value;
  };
  switch (env['GATEHOUSE_SMS_SENDER'] ?? 'operator') {
    case 'operator':
      return { sender: 'operator' };
    case 'http': {
      const url = needed('GATEHOUSE_SMS_URL');
      if (!url.includes('{to}') || !url.includes('{text}') || !URL.canParse(url)) {
        throw new ConfigError('GATEHOUSE_SMS_URL must be a web address that contains {to} and {text}.');
      }
      return { sender: 'http', url };
    }
    case 'twilio':
      return {
        sender: 'twilio',
        accountSid: needed('GATEHOUSE_TWILIO_ACCOUNT_SID'),
        authToken: needed('GATEHOUSE_TWILIO_AUTH_TOKEN'),
        from: needed('GATEHOUSE_TWILIO_FROM'),
        apiUrl: env['GATEHOUSE_TWILIO_API_URL'] ?? TWILIO_API,
      };
    default:
      throw new ConfigError('GATEHOUSE_SMS_SENDER must be operator, http or twilio.');
  }
}
