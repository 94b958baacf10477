import type { MyWords } from './words.ts';

export const en: MyWords = {
  documentTitle: 'My verifications',
  title: 'My verifications',
  text: 'See which organisers know you, and have your data erased. First show that the number is yours.',
  listTitle: 'Who knows you',
  listText: 'These organisers hold data from a check with your number.',
  emptyTitle: 'No organiser knows this number',
  emptyText: 'A check without a phone number is not listed here. Ask the organiser of that check.',
  test: 'Test',
  connected: 'Connected',
  disconnected: 'Disconnected',
  since: 'Since',
  lastVisit: 'Last visit',
  disconnect: 'Disconnect',
  erase: 'Erase my data',
  done: 'Done',
  confirmDisconnect: {
    title: (organiser) => `Disconnect from ${organiser}?`,
    lines: (organiser) => [
      `Your approval at ${organiser} is withdrawn at once. Your accounts there are no longer tied to you.`,
      'Your face code stays. You can do the check again, or erase your data.',
    ],
    confirm: 'Disconnect',
    working: 'Disconnecting…',
  },
  confirmErase: {
    title: (organiser) => `Erase your data at ${organiser}?`,
    lines: (organiser) => [
      `Your face code, your number and your photos at ${organiser} are erased. Your approval there ends.`,
      'This cannot be undone.',
    ],
    confirm: 'Erase my data',
    working: 'Erasing…',
  },
  back: 'Go back',
  said: {
    disconnected: (organiser) => `You are disconnected from ${organiser}.`,
    erased: (organiser) => `Your data at ${organiser} is erased.`,
    gone: 'That was done already. This is what is left.',
    failed: 'That did not work. Nothing was changed. Try again in a moment.',
    ended: 'Your time on this page is over. Please show again that the number is yours.',
    closed: 'Closed. Nothing stays on this device.',
  },
};
