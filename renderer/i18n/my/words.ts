/** What "my verifications" says. Apart from the other words, so that only those who open the page load them. */
export type MyWords = {
  documentTitle: string;
  title: string;
  text: string;
  listTitle: string;
  listText: string;
  emptyTitle: string;
  emptyText: string;
  test: string;
  connected: string;
  disconnected: string;
  /** Dates are already in words. */
  since: string;
  lastVisit: string;
  disconnect: string;
  erase: string;
  done: string;
  confirmDisconnect: ConfirmWords;
  confirmErase: ConfirmWords;
  back: string;
  said: {
    disconnected: (organiser: string) => string;
    erased: (organiser: string) => string;
    gone: string;
    failed: string;
    ended: string;
    closed: string;
  };
};

export type ConfirmWords = {
  title: (organiser: string) => string;
  lines: (organiser: string) => readonly string[];
  confirm: string;
  working: string;
};
