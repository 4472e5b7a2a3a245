/** Threads that embed: started when there is work, each given one text at a time, ended when idle for a while. */
import { Worker } from 'node:worker_threads';
import type { ThreadStart } from './thread.js';

export type Threads = {
  /** `first` goes before all that waits. */
  embed(text: string, signal: AbortSignal | undefined, first?: boolean): Promise<Float32Array>;
  close(): Promise<void>;
};

type Job = {
  text: string;
  signal: AbortSignal | undefined;
  resolve: (vector: Float32Array) => void;
  reject: (reason: unknown) => void;
};
type Thread = { worker: Worker; number: number; job: Job | undefined };

const IDLE_MS = 20_000;

/** Tests run the sources, where only the compiled file can be a thread. */
const threadFile = new URL(import.meta.url.replace(/\/src\/(.*)\/threads\.ts$/, '/dist/$1/threads.js'));

export function startThreads(count: number, start: Omit<ThreadStart, 'thread'>, idleMs = IDLE_MS): Threads {
  const threads: Thread[] = [];
  const waiting: Job[] = [];
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const startOne = (): Thread => {
    const used = new Set(threads.map(({ number }) => number));
    // Desk 0 belongs to the thread that starts the others.
    const number = Array.from({ length: count }, (_, index) => index + 1).find((free) => !used.has(free)) as number;
    const worker = new Worker(new URL('./thread.js', threadFile), { workerData: { ...start, thread: number } });
    const thread: Thread = { worker, number, job: undefined };
    worker.on('message', (vector: Float32Array) => finish(thread, (job) => job.resolve(vector)));
    worker.on('error', (error) => gone(thread, error));
    worker.on('exit', () => gone(thread, new Error('A thread that embeds texts has ended.')));
    threads.push(thread);
    return thread;
  };
  const finish = (thread: Thread, settle: (job: Job) => void) => {
    const { job } = thread;
    thread.job = undefined;
    if (job) settle(job);
    next();
  };
  const gone = (thread: Thread, error: Error) => {
    const at = threads.indexOf(thread);
    if (at >= 0) threads.splice(at, 1);
    finish(thread, (job) => job.reject(error));
  };
  /** Gives work to whoever is free. A thread keeps the process alive only while it works. */
  const next = () => {
    while (waiting.length > 0 && !closed) {
      const free = threads.find(({ job }) => !job) ?? (threads.length < count ? startOne() : undefined);
      if (!free) return;
      const job = waiting.shift() as Job;
      if (job.signal?.aborted) job.reject(job.signal.reason);
      else {
        free.job = job;
        free.worker.ref();
        free.worker.postMessage(job.text);
      }
    }
    for (const { worker, job } of threads) if (!job) worker.unref();
    clearTimeout(idle);
    if (threads.length > 0 && threads.every(({ job }) => !job)) idle = setTimeout(end, idleMs).unref();
  };
  const end = async () => {
    await Promise.all(threads.splice(0).map(({ worker }) => worker.terminate()));
  };

  return {
    embed: (text, signal, first = false) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('The embedder was closed.'));
        const job = { text, signal, resolve, reject };
        if (first) waiting.unshift(job);
        else waiting.push(job);
        next();
      }),
    async close() {
      closed = true;
      clearTimeout(idle);
      const error = new Error('The embedder was closed.');
      for (const { reject } of waiting.splice(0)) reject(error);
      const jobs = threads.flatMap(({ job }) => job ?? []);
      await end();
      for (const { reject } of jobs) reject(error);
    },
  };
}
