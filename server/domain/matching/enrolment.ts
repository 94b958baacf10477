/** What an approved run leaves of a face: a template, or in the test partition a name. */
export type Enrolment =
  | { kind: 'template'; model: string; vector: Float32Array; quality: number }
  | { kind: 'test_face'; name: string };
