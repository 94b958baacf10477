import type { TrustWords } from './words.ts';

export const de: TrustWords = {
  language: 'Deutsch',
  title: 'Gatehouse dieses Veranstaltungsorts vertrauen',
  intro:
    'Dieses Gerät kennt das Zertifikat der Prüfung hier noch nicht. Installieren Sie es einmal; danach öffnet sich die Prüfung ohne Warnung. Es kann nur für Adressen im Netz dieses Ortes bürgen, nie für eine Seite im Internet.',
  compare: 'Zuerst vergleichen',
  compareText:
    'Das Personal liest dies in den Einstellungen unter Netzwerk ab. Installieren Sie nichts, wenn es abweicht.',
  download: 'Zertifikat herunterladen',
  downloadApple: 'Für iPhone und iPad herunterladen',
  systems: [
    {
      name: 'iPhone, iPad',
      steps: [
        'Tippen Sie auf „Für iPhone und iPad herunterladen“, dann auf „Zulassen“.',
        'Öffnen Sie Einstellungen, dann „Profil geladen“, und tippen Sie auf „Installieren“.',
        'Schalten Sie es unter Einstellungen, Allgemein, Info, Zertifikatsvertrauenseinstellungen ein.',
      ],
    },
    {
      name: 'Android',
      steps: [
        'Tippen Sie auf „Zertifikat herunterladen“.',
        'Öffnen Sie Einstellungen, Sicherheit, Weitere Sicherheitseinstellungen, „Von Speicher installieren“, „CA-Zertifikat“.',
        'Wählen Sie „Trotzdem installieren“, dann die Datei gatehouse.crt.',
      ],
    },
    {
      name: 'Windows',
      steps: [
        'Laden Sie das Zertifikat herunter und öffnen Sie es.',
        'Wählen Sie „Zertifikat installieren“, Aktueller Benutzer, „Alle Zertifikate in folgendem Speicher speichern“.',
        'Wählen Sie „Vertrauenswürdige Stammzertifizierungsstellen“ und schließen Sie ab.',
      ],
    },
    {
      name: 'macOS',
      steps: [
        'Laden Sie das Zertifikat herunter und öffnen Sie es in der Schlüsselbundverwaltung.',
        'Öffnen Sie den Eintrag, dann „Vertrauen“, und wählen Sie „Immer vertrauen“.',
      ],
    },
    {
      name: 'Linux',
      steps: [
        'Suchen Sie in den Einstellungen des Browsers nach Zertifikaten und importieren Sie die Datei als Zertifizierungsstelle für Websites.',
      ],
    },
  ],
  done: 'Öffnen Sie danach',
  remove: 'Nach der Veranstaltung lässt sich das Zertifikat an derselben Stelle entfernen.',
};
