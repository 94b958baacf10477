/** Makes one backup in a separate thread, so that the service keeps answering. */
import { parentPort, workerData } from 'node:worker_threads';
import { type MakeInput, makeBackup } from './make.ts';
import { answerOf } from './worker-answer.ts';

parentPort?.postMessage(await answerOf(makeBackup(workerData as MakeInput)));
