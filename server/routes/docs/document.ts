/** The parts of the document that its readers here rely on. */
export type PublicDocument = {
  info: { title: string; version: string; description: string; contact?: object };
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, unknown>;
  components: { schemas: Record<string, unknown> };
  [field: string]: unknown;
};
