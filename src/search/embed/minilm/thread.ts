/** A thread that embeds texts: it shares the weights with the thread that started it, and has a desk of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import { forwardAt } from './forward.js';
import type { Layout } from './layout.js';
import { MAX_TOKENS, type ModelFiles } from './model.js';
import { openWeights } from './weights.js';
import { loadTokenizer } from './wordpiece.js';

export type ThreadStart = { memory: WebAssembly.Memory; layout: Layout; files: ModelFiles; thread: number };

const { memory, layout, files, thread } = workerData as ThreadStart;
const forward = forwardAt(memory, layout, openWeights(files.weightsPath), thread);
const { encode } = loadTokenizer(files.tokenizerPath);

parentPort?.on('message', (text: string) => {
  parentPort?.postMessage(forward(encode(text, MAX_TOKENS)));
});
