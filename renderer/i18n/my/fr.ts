import type { MyWords } from './words.ts';

export const fr: MyWords = {
  documentTitle: 'Mes contrôles',
  title: 'Mes contrôles',
  text: 'Voyez quels organisateurs vous connaissent et faites effacer vos données. Montrez d’abord que le numéro est à vous.',
  listTitle: 'Qui vous connaît',
  listText: 'Ces organisateurs gardent des données d’un contrôle avec votre numéro.',
  emptyTitle: 'Aucun organisateur ne connaît ce numéro',
  emptyText: 'Un contrôle sans numéro de téléphone n’apparaît pas ici. Demandez à son organisateur.',
  test: 'Test',
  connected: 'Connecté',
  disconnected: 'Déconnecté',
  since: 'Depuis',
  lastVisit: 'Dernière visite',
  disconnect: 'Déconnecter',
  erase: 'Effacer mes données',
  done: 'Terminer',
  confirmDisconnect: {
    title: (organiser) => `Vous déconnecter de ${organiser} ?`,
    lines: (organiser) => [
      `Votre validation chez ${organiser} est retirée aussitôt. Vos comptes n’y sont plus liés à vous.`,
      'Votre code du visage reste. Vous pouvez refaire le contrôle ou effacer vos données.',
    ],
    confirm: 'Déconnecter',
    working: 'Déconnexion…',
  },
  confirmErase: {
    title: (organiser) => `Effacer vos données chez ${organiser} ?`,
    lines: (organiser) => [
      `Votre code du visage, votre numéro et vos photos chez ${organiser} sont effacés. Votre validation y prend fin.`,
      'C’est définitif.',
    ],
    confirm: 'Effacer mes données',
    working: 'Effacement…',
  },
  back: 'Retour',
  said: {
    disconnected: (organiser) => `Vous êtes déconnecté de ${organiser}.`,
    erased: (organiser) => `Vos données chez ${organiser} sont effacées.`,
    gone: 'C’était déjà fait. Voici ce qui reste.',
    failed: 'Cela n’a pas marché. Rien n’a changé. Réessayez dans un instant.',
    ended: 'Votre temps sur cette page est écoulé. Montrez à nouveau que le numéro est à vous.',
    closed: 'Fermé. Rien ne reste sur cet appareil.',
  },
};
