/** After this long without a word, a node counts as gone. It reports several times within it. */
export const NODE_SILENT_MS = 60_000;
