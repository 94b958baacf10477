/** Requests to the face index’s thread and its answers. A partition index contains one scope’s people. */
export type IndexRequest = { id: number; partition: string } & (
  | {
      kind: 'put';
      people: string[];
      /** One vector per person, concatenated. */
      vectors: Float32Array;
    }
  | {
      kind: 'put_packed';
      people: string[];
      /** One packed row per person, concatenated. */
      rows: Uint8Array;
    }
  | { kind: 'remove'; people: string[] }
  | { kind: 'clear' }
  | { kind: 'search'; probe: Float32Array; floor: number }
);

export type IndexReply = {
  id: number;
  /** People in the partition index after the request. */
  enrolled: number;
  /** Memory of the partition index’s rows, in bytes. */
  bytes: number;
  /** Of a search: everyone who reaches the floor, and a few just below it. */
  people: string[];
};

export type IndexSetup = { embeddingLength: number };
