import type { FirstRunWords } from './en.ts';

export const fr: FirstRunWords = {
  title: 'Bienvenue dans Gatehouse',
  text: 'Il faut deux choses avant d’ouvrir : qui s’en occupe et pour quelle entreprise. Une minute suffit, sans réseau.',
  company: 'Entreprise',
  companyHelp: 'Les visiteurs lisent ce nom avant leur vérification.',
  companyAdopted: 'Cette entreprise existe déjà et reste. Les clés déjà remises continuent de fonctionner.',
  name: 'Votre nom',
  nameHelp: 'Il sert à vous connecter et figure dans l’audit.',
  passphrase: 'Phrase secrète',
  passphraseHelp: 'Au moins 12 caractères. Quatre mots sans rapport conviennent bien.',
  code: 'Code d’installation',
  codeHelp: 'Vous êtes sur une autre machine : le code est dans le journal du serveur.',
  basics:
    'Une première vérification est créée : une par personne, les cas douteux vont à un examinateur. Tout se change plus tard.',
  create: 'Créer',
  keysTitle: 'Vos clés',
  keysText:
    'Votre billetterie s’en sert pour demander des vérifications. Sans elle, continuez : de nouvelles clés se créent à tout moment.',
  keysAdopted: 'De nouvelles clés pour l’entreprise. Les précédentes continuent de fonctionner.',
  keysWarning: 'Affichées cette fois seulement. Gatehouse n’en garde aucune copie lisible.',
  keysStored: 'Je les ai rangées en lieu sûr',
  demo: 'Créer aussi une société de démonstration',
  demoHelp:
    'Un festival qui n’a jamais eu lieu, avec des personnes, des dossiers et des appels, pour découvrir. Il est séparé de votre société.',
  finish: 'Ouvrir la console',
  strength: {
    short: 'Trop courte',
    weak: 'Facile à deviner',
    fair: 'Suffisante',
    strong: 'Forte',
  },
  keys: {
    pk_live: 'Publiable, réel',
    sk_live: 'Secrète, réel',
    ak_live: 'Clé API pour v1 et v2, production',
    pk_test: 'Publiable, test',
    sk_test: 'Secrète, test',
    ak_test: 'Clé API pour v1 et v2, démo',
  },
};
