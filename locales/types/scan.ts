// Written by `npm run locales` from locales/en. Do not edit.
import type { TitleAndText } from '../format.ts';

export type ScanMessages = {
  documentTitle: string;
  wait: string;
  join: {
    title: string;
    text: string;
    code: string;
    name: string;
    start: string;
  };
  roles: {
    steward: string;
    supervisor: string;
  };
  failed: {
    ended: string;
    wrongCode: string;
    tooMany: string;
    offline: string;
    late: string;
    notAdmitted: string;
    server: string;
  };
  duty: {
    title: string;
    titleOut: string;
    direction: string;
    in: string;
    out: string;
    camera: string;
    silent: TitleAndText;
    not_loaded: TitleAndText;
    slow: string;
    qrOnly: string;
    typeInstead: string;
    again: string;
    justRead: string;
    type: string;
    check: string;
    inside: (values: { count: number }) => string;
    insideOf: (values: { count: string | number; most: string | number }) => string;
    full: string;
    call: string;
    callEnd: string;
    called: string;
    waits: (values: { name: string | number; time: string | number }) => string;
    stop: string;
  };
  search: {
    title: string;
    label: string;
    find: string;
    none: string;
    more: string;
  };
  outcome: {
    letIn: string;
    letInText: string;
    out: string;
    outText: string;
    check: string;
    checkText: string;
    next: string;
    undo: string;
    undone: string;
    undoneText: string;
    reason: string;
    letInAnyway: string;
    children: string;
    childrenLetIn: (values: { count: number }) => string;
    childrenDone: (values: { count: number }) => string;
    lastAt: (values: { at: string | number; gate: string | number }) => string;
    otherEvent: (values: { event: string | number }) => string;
  };
};
