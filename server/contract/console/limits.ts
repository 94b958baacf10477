/** How often one person may pass: the kinds of a verification's limit (decisions §5, config options). */
export const LIMIT_KINDS = ['none', 'total', 'day', 'week', 'month'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
