/** What stands around every screen: whose event it is, test mode, and the ways to hear it, calm it or reach staff. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../../ui/Icon.tsx';
import { useKiosk } from '../context.ts';
import type { KioskState, ScreenName } from '../kiosk-state.ts';

export type FrameProps = {
  state: KioskState;
  screen: ScreenName;
  /** There is a voice for the language. */
  canSpeak: boolean;
  children: ReactNode;
};

/** Where staff can be reached: nobody is in the middle of anything, and the device has a server to ask about PINs. */
const hasStaffButton = (screen: ScreenName, state: KioskState) =>
  screen !== 'pairing' && state.stage.kind === 'attract';

export function Frame({ state, screen, canSpeak, children }: FrameProps) {
  const { kiosk, words, messages } = useKiosk();
  const { config, isCalm, isReadAloud } = state;
  const event = config?.event ?? null;
  const isForPeople = screen !== 'pairing' && screen !== 'staff';
  return (
    <div className="kiosk" data-screen={screen} data-calm={isCalm || undefined}>
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
      {screen !== 'result' && (
        <footer className="kiosk__foot">
          {isForPeople && (
            <>
              {canSpeak && (
                <Switch icon="sound" isOn={isReadAloud} onChange={kiosk.setReadAloud}>
                  {words.readAloud}
                </Switch>
              )}
              <Switch icon="pause" isOn={isCalm} onChange={kiosk.setCalm}>
                {words.calm}
              </Switch>
              {isReadAloud && <span className="kiosk__hint">{words.headphones}</span>}
            </>
          )}
          {hasStaffButton(screen, state) && (
            <button type="button" className="button button--foot kiosk__staff" onClick={kiosk.openStaff}>
              <Icon name="lock" size={28} />
              {words.staff}
            </button>
          )}
        </footer>
      )}
    </div>
  );
}

type SwitchProps = { icon: IconName; isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode };

function Switch({ icon, isOn, onChange, children }: SwitchProps) {
  return (
    <button type="button" className="button button--foot" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      <Icon name={isOn ? 'check' : icon} size={28} />
      {children}
    </button>
  );
}
