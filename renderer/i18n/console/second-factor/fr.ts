import type { SecondFactorWords } from './en.ts';

export const fr: SecondFactorWords = {
  title: 'Second facteur',
  text: 'Un code d’une application d’authentification, demandé après la phrase secrète.',
  on: 'Activé',
  off: 'Désactivé',
  since: 'Configuré',
  codesLeft: 'Codes de récupération restants',
  fewCodes: 'Il vous reste peu de codes de récupération. Créez-en de nouveaux.',
  setUp: 'Configurer',
  replace: 'Remplacer',
  remove: 'Retirer',
  newCodes: 'Nouveaux codes de récupération',
  removeText:
    'Votre phrase secrète suffira pour vous connecter. Vos codes de récupération ne seront plus valables.',
  newCodesText: 'Les anciens codes de récupération ne seront plus valables.',
  removed: 'Le second facteur est retiré.',
  passphrase: 'Phrase actuelle',
  next: 'Suivant',
  scan: 'Scannez le code QR avec une application d’authentification sur votre téléphone.',
  qr: 'Code QR pour votre application d’authentification',
  secret: 'Ou saisissez cette clé dans l’application',
  code: 'Code de l’application',
  codeHelp: 'Six chiffres, renouvelés toutes les 30 secondes.',
  confirm: 'Activer',
  othersEnd: 'Vos autres sessions se ferment.',
  codesTitle: 'Codes de récupération',
  codesWarning:
    'Affichés une seule fois. Chaque code vous connecte une fois si vous perdez votre téléphone. Gardez-les à part de la phrase secrète.',
  copyCodes: 'Codes de récupération',
  stored: 'J’ai conservé les codes de récupération',
  done: 'Terminé',
  neededTitle: 'Configurez votre second facteur',
  neededText:
    'Cette console est ouverte à d’autres machines : les admins ont besoin d’un second facteur. Cela prend une minute.',
  signOut: 'Se déconnecter',
};
