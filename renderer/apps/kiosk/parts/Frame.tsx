/** The frame of every screen: organiser, test mode, languages, and the switches for speech, calm view and staff. */
import type { CSSProperties, ReactNode } from 'react';
import type { KioskEvent, KioskLanguage } from '../../../../server/contract/kiosk.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon, LineIcon } from '../../../ui/Icon.tsx';
import { LANGUAGE_NAMES } from '../../../i18n/language.ts';
import { useKiosk } from '../context.ts';
import { veilOf, type VenueColours, venueColours } from '../venue-colours.ts';
import { type KioskState, offersLanguages, type ScreenName } from '../kiosk-state.ts';

type FrameProps = {
  state: KioskState;
  screen: ScreenName;
  /** Whether there is a voice for the language. */
  canSpeak: boolean;
  children: ReactNode;
};

/** Screens for staff, without the switches that help guests. */
const STAFF_SCREENS: readonly ScreenName[] = ['other_tab', 'pairing', 'staff'];

/** Staff can sign in while no guest is in a check and the device has a server to ask about PINs. */
const hasStaffButton = ({ stage }: KioskState) => stage.kind === 'attract';

/** The venue's colours as CSS variables. During the check the page lights the face, so its colours stay unchanged. */
function styleOf({ fill, onFill, ink }: VenueColours): CSSProperties {
  const variables: Record<`--${string}`, string> = {
    '--fill': fill,
    '--on-fill': onFill,
    '--action': ink,
    '--focus': ink,
  };
  return variables;
}

/** The venue's picture behind the start screen, veiled as far as the words on it require. */
function pictureOf(
  { url, darkest }: NonNullable<KioskEvent['picture']>,
  colour: string | null,
): CSSProperties {
  const veil = veilOf(darkest, colour);
  const variables: Record<`--${string}`, string> = {
    '--picture': `url("${url}")`,
    '--veil': String(veil.opacity),
    '--text-quiet': 'var(--text)',
  };
  return { ...styleOf(veil), ...variables };
}

function lookOf(event: KioskEvent | null, screen: ScreenName): CSSProperties | undefined {
  if (event === null || screen === 'capture') return undefined;
  if (screen === 'attract' && event.picture !== null) return pictureOf(event.picture, event.colour);
  const colours = event.colour === null ? null : venueColours(event.colour);
  return colours === null ? undefined : styleOf(colours);
}

export function Frame({ state, screen, canSpeak, children }: FrameProps) {
  const { kiosk, words, messages } = useKiosk();
  const { config, isCalm, isReadAloud } = state;
  const event = config?.event ?? null;
  const isForPeople = !STAFF_SCREENS.includes(screen);
  return (
    <div
      className="kiosk"
      data-screen={screen}
      data-calm={isCalm || undefined}
      data-picture={(screen === 'attract' && event !== null && event.picture !== null) || undefined}
      style={lookOf(event, screen)}
    >
      <header className="kiosk__head">
        {event?.logo_url && <img className="kiosk__logo" src={event.logo_url} alt="" />}
        <span className="kiosk__organiser">{config?.organiser}</span>
        {event?.is_test && (
          <span className="kiosk__test">
            <Icon name="flask" size={28} />
            {messages.testMode}
          </span>
        )}
      </header>
      <main className="kiosk__main">{children}</main>
      {isForPeople && screen !== 'result' && (
        <footer className="kiosk__foot">
          {canSpeak && (
            <Switch drawing={SOUND} isOn={isReadAloud} onChange={kiosk.setReadAloud}>
              {words.readAloud}
            </Switch>
          )}
          <Switch drawing={PAUSE} isOn={isCalm} onChange={kiosk.setCalm}>
            {words.calm}
          </Switch>
          {isReadAloud && <span className="kiosk__hint">{words.headphones}</span>}
          {offersLanguages(screen) && (
            <Languages
              languages={event?.languages ?? []}
              look="quiet"
              className="kiosk__languages"
              onChoose={kiosk.setLanguage}
            />
          )}
          {hasStaffButton(state) && (
            <button type="button" className="button button--quiet kiosk__staff" onClick={kiosk.openStaff}>
              <Icon name="lock" size={28} />
              {words.staff}
            </button>
          )}
        </footer>
      )}
    </div>
  );
}

/** Only here, so that no other page carries them. */
const SOUND = 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11';
const PAUSE = 'M9 6v12M15 6v12';

type SwitchProps = { drawing: string; isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode };

function Switch({ drawing, isOn, onChange, children }: SwitchProps) {
  return (
    <Button look="quiet" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {isOn ? <Icon name="check" size={28} /> : <LineIcon path={drawing} size={28} stroke={1.8} />}
      {children}
    </Button>
  );
}

type LanguagesProps = {
  /** Of the event. */
  languages: readonly KioskLanguage[];
  look: 'side' | 'quiet';
  className: string;
  onChoose: (language: KioskLanguage) => void;
};

/** A button for each of the event's other languages, in its own name. */
export function Languages({ languages, look, className, onChoose }: LanguagesProps) {
  const { language, loaded } = useKiosk();
  const others = languages.filter((code) => code !== language && loaded[code] !== undefined);
  if (others.length === 0) return null;
  return (
    <div className={className}>
      {others.map((code) => (
        <Button key={code} lang={code} data-language={code} look={look} onClick={() => onChoose(code)}>
          {LANGUAGE_NAMES[code]}
        </Button>
      ))}
    </div>
  );
}
