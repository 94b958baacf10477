export const en = {
  title: 'Welcome to Gatehouse',
  text: 'Two things are needed before the door opens: who looks after this, and for which company. It takes a minute and no network.',
  company: 'Company',
  companyHelp: 'Attendees read this name before their check.',
  companyAdopted: 'This company is here already and is kept. Keys given out before go on working.',
  name: 'Your name',
  nameHelp: 'You sign in with it, and it stands in the audit log.',
  passphrase: 'Passphrase',
  passphraseHelp: 'At least 12 characters. Four words that have nothing to do with each other are good.',
  code: 'Setup code',
  codeHelp: 'You are on another machine: the code stands in the server’s log.',
  basics:
    'A first verification is made with it: one check a person, doubtful cases go to a reviewer. All of it can be changed later.',
  create: 'Create',
  keysTitle: 'Your keys',
  keysText:
    'Your ticketing or badge system uses these to ask for checks. Without one you can go on: new keys can be made at any time.',
  keysAdopted: 'New keys for the company. Those given out before go on working.',
  keysWarning: 'Shown this once. Gatehouse keeps no copy that can be read.',
  keysStored: 'I have stored them in a safe place',
  demo: 'Make a demo company as well',
  demoHelp:
    'A festival that never was, with people, cases and calls, to look around in. It stands apart from your own company.',
  finish: 'Open the console',
  strength: {
    short: 'Too short',
    weak: 'Easy to guess',
    fair: 'Good enough',
    strong: 'Strong',
  },
  keys: {
    pk_live: 'Publishable, live',
    sk_live: 'Secret, live',
    ak_live: 'API key for v1 and v2, production',
    pk_test: 'Publishable, test',
    sk_test: 'Secret, test',
    ak_test: 'API key for v1 and v2, demo',
  },
};

export type FirstRunWords = typeof en;
