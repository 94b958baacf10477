/** Makes one backup in a thread of its own, so that the service goes on answering. */
import { parentPort, workerData } from 'node:worker_threads';
import { type MakeInput, makeBackup } from './make.ts';
import { answerOf } from './worker-answer.ts';

parentPort?.postMessage(await answerOf(makeBackup(workerData as MakeInput)));
