// Written by `npm run locales` from locales/en. Do not edit.
import type { AccountMessages } from './account.ts';
import type { AuditMessages } from './audit.ts';
import type { ConsoleMessages } from './console.ts';
import type { DoorMessages } from './door.ts';
import type { EventsMessages } from './events.ts';
import type { KeysMessages } from './keys.ts';
import type { OperatorsMessages } from './operators.ts';
import type { OverlapMessages } from './overlap.ts';
import type { PeopleMessages } from './people.ts';
import type { ReviewsMessages } from './reviews.ts';
import type { SecondFactorMessages } from './second-factor.ts';
import type { SessionsMessages } from './sessions.ts';
import type { SettingsMessages } from './settings.ts';
import type { SetupMessages } from './setup.ts';
import type { UsageMessages } from './usage.ts';
import type { VerificationsMessages } from './verifications.ts';
import type { WebhooksMessages } from './webhooks.ts';

export type Catalogues = {
  account: AccountMessages;
  audit: AuditMessages;
  console: ConsoleMessages;
  door: DoorMessages;
  events: EventsMessages;
  keys: KeysMessages;
  operators: OperatorsMessages;
  overlap: OverlapMessages;
  people: PeopleMessages;
  reviews: ReviewsMessages;
  'second-factor': SecondFactorMessages;
  sessions: SessionsMessages;
  settings: SettingsMessages;
  setup: SetupMessages;
  usage: UsageMessages;
  verifications: VerificationsMessages;
  webhooks: WebhooksMessages;
};
