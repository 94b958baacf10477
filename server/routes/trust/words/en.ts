import type { TrustWords } from './words.ts';

export const en: TrustWords = {
  language: 'English',
  title: 'Trust this venue’s Gatehouse',
  intro:
    'This device does not know the certificate of this venue’s check yet. Install it once; afterwards the check opens without a warning. It can vouch for addresses of the venue’s own network only, never for a site on the internet.',
  compare: 'Compare first',
  compareText:
    'Staff can read this from their screen, under Settings, Network. Install nothing if it differs.',
  download: 'Download the certificate',
  downloadApple: 'Download for iPhone and iPad',
  systems: [
    {
      name: 'iPhone, iPad',
      steps: [
        'Tap “Download for iPhone and iPad”, then Allow.',
        'Open Settings, then “Profile Downloaded”, and tap Install.',
        'In Settings, General, About, Certificate Trust Settings, switch it on.',
      ],
    },
    {
      name: 'Android',
      steps: [
        'Tap “Download the certificate”.',
        'Open Settings, Security, More security settings, “Install from storage”, “CA certificate”.',
        'Choose Install anyway, then the file gatehouse.crt.',
      ],
    },
    {
      name: 'Windows',
      steps: [
        'Download the certificate and open it.',
        'Choose “Install Certificate”, Current User, “Place all certificates in the following store”.',
        'Choose “Trusted Root Certification Authorities” and finish.',
      ],
    },
    {
      name: 'macOS',
      steps: [
        'Download the certificate and open it in Keychain Access.',
        'Open its entry, then Trust, and choose “Always Trust”.',
      ],
    },
    {
      name: 'Linux',
      steps: [
        'In the browser’s settings, search for certificates and import the file as an authority for websites.',
      ],
    },
  ],
  done: 'Then open',
  remove: 'When the event is over, the certificate can be removed in the same place.',
};
