/** The venue's own recordings (`gatehouse record`) as clips. They are decrypted in memory, and nothing is cached. */
import { databaseFrom } from '../../../server/data/location.ts';
import { listRecordings, openRecordings } from '../../../server/data/recordings.ts';
import type { RecordedCapture, Recording } from '../../../server/domain/capture/recording.ts';
import { ClipFolderError, type FoundClip } from './folder.ts';

/**
 * Those that are not past their last day; where no service runs at night, the others still wait for their deletion.
 * @throws ClipFolderError if there are none; StoreError if one can't be decrypted
 */
export async function findRecordings(dataDir: string, nowMs = Date.now()): Promise<FoundClip[]> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const saved = (await listRecordings(dataDir)).filter(({ keptUntil }) => keptUntil >= today);
  if (saved.length === 0) throw new ClipFolderError(`${dataDir}: no recordings here`);
  const { read } = await openRecordings(dataDir, databaseFrom(process.env));
  const clips: FoundClip[] = [];
  for (const one of saved) clips.push(clipOf(await read(one), async () => read(one)));
  return clips;
}

export function clipOf(recording: Recording, read: () => Promise<Recording>): FoundClip {
  const { code, identity, attack, labels, capture } = recording;
  const { steps, tints, frames } = answersIn(capture);
  return {
    name: `${attack ?? 'genuine'}/${identity}/${code}`,
    kind: attack ?? 'genuine',
    identity,
    labels,
    steps,
    tints,
    stepOfFrame: frames.map(({ step }) => step),
    async read() {
      const { stills } = await read();
      return {
        frames: frames.flatMap(({ seq }) => stills.get(seq) ?? []),
        recording: { capture, stills },
      };
    },
  };
}

/** The stills that were judged: the last of each tint, then all of each step. */
function answersIn({ events, requests }: RecordedCapture): Pick<FoundClip, 'steps' | 'tints'> & {
  frames: { seq: number; step: number | null }[];
} {
  const judged = new Set(events.flatMap(({ event }) => (event.type === 'judged' ? event.seq : [])));
  const seqsOf = (id: number) =>
    events.flatMap(({ event }) =>
      event.type === 'still' && event.request === id && judged.has(event.seq) ? event.seq : [],
    );
  const answered = requests.flatMap((request, place) => {
    const seqs = [...new Set(seqsOf(place + 1))];
    return seqs.length > 0 ? { ...request, seqs } : [];
  });
  const resting = answered.flatMap(({ tint, seqs }) => (tint ? { tint, seq: seqs.at(-1) ?? 0 } : []));
  const moving = answered.flatMap(({ step, seqs }) => (step ? { step, seqs } : []));
  return {
    tints: resting.map(({ tint }) => tint),
    steps: moving.map(({ step }) => step),
    frames: [
      ...resting.map(({ seq }) => ({ seq, step: null })),
      ...moving.flatMap(({ seqs }, step) => seqs.map((seq) => ({ seq, step }))),
    ],
  };
}
