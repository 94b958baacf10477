import type { TrustWords } from './words.ts';

export const fr: TrustWords = {
  language: 'Français',
  title: 'Faire confiance au Gatehouse de ce lieu',
  intro:
    'Cet appareil ne connaît pas encore le certificat du contrôle de ce lieu. Installez-le une fois ; ensuite le contrôle s’ouvre sans avertissement. Il ne peut répondre que d’adresses du réseau de ce lieu, jamais d’un site d’internet.',
  compare: 'Comparez d’abord',
  compareText: 'Le personnel le lit sur son écran, dans Réglages, Réseau. N’installez rien si cela diffère.',
  download: 'Télécharger le certificat',
  downloadApple: 'Télécharger pour iPhone et iPad',
  systems: [
    {
      name: 'iPhone, iPad',
      steps: [
        'Touchez « Télécharger pour iPhone et iPad », puis Autoriser.',
        'Ouvrez Réglages, « Profil téléchargé », et touchez Installer.',
        'Dans Réglages, Général, Informations, Réglages de confiance des certificats, activez-le.',
      ],
    },
    {
      name: 'Android',
      steps: [
        'Touchez « Télécharger le certificat ».',
        'Ouvrez Paramètres, Sécurité, Autres paramètres de sécurité, « Installer depuis la mémoire », « Certificat CA ».',
        'Choisissez Installer quand même, puis le fichier gatehouse.crt.',
      ],
    },
    {
      name: 'Windows',
      steps: [
        'Téléchargez le certificat et ouvrez-le.',
        'Choisissez « Installer un certificat », Utilisateur actuel, « Placer tous les certificats dans le magasin suivant ».',
        'Choisissez « Autorités de certification racines de confiance » et terminez.',
      ],
    },
    {
      name: 'macOS',
      steps: [
        'Téléchargez le certificat et ouvrez-le dans Trousseaux d’accès.',
        'Ouvrez son entrée, puis Se fier, et choisissez « Toujours approuver ».',
      ],
    },
    {
      name: 'Linux',
      steps: [
        'Dans les réglages du navigateur, cherchez les certificats et importez le fichier comme autorité pour des sites web.',
      ],
    },
  ],
  done: 'Ouvrez ensuite',
  remove: 'Après l’événement, le certificat peut être retiré au même endroit.',
};
