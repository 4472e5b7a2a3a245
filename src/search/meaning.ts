/** Search by meaning as a whole: the embedder, the port over its vectors, and the work in the background. */
import { asFailure, type Failure } from '../errors.js';
import type { Database } from '../storage/sql.js';
import { chooseEmbedder, type EmbedderSettings } from './embed/choose.js';
import type { Embedder } from './embed/embedder.js';
import { type Background, embedInBackground } from './vectors/background.js';
import { type EmbeddingPort, embeddingPort } from './vectors/embedding.js';
import type { VectorPort } from './vectors/port.js';
import { vectorPort } from './vectors/vectors.js';

export type Meaning = {
  readonly vectors: VectorPort;
  readonly embedding: EmbeddingPort;
  /** A call was made: where embedding in the background is on, a good time to look for work. */
  afterCall(): void;
  close(): Promise<void>;
};

export type MeaningOptions = {
  database: Database;
  settings: EmbedderSettings;
  background: boolean;
  now: () => number;
};

export function openMeaning({ database, settings, background, now }: MeaningOptions): Meaning {
  const { embedder, problem } = chosenBy(settings);
  let fault = problem?.message;
  const onFault = (thrown: Error) => {
    // Told once: the status keeps it, and a log should not fill up with it.
    if (fault !== thrown.message) process.emitWarning(`Embedding failed: ${thrown.message}`);
    fault = thrown.message;
  };
  const work: Background | undefined =
    background && embedder ? embedInBackground({ database, embedder, now, onFault }) : undefined;
  return {
    vectors: vectorPort(embedder, onFault),
    embedding: embeddingPort({ database, embedder, problem, now, fault: () => fault }),
    afterCall: () => work?.poke(),
    close: async () => {
      const stopped = work?.close();
      // Ends the threads, so that a batch in the background does not hold up the end.
      await embedder?.close();
      await stopped;
    },
  };
}

/** Settings that make no sense leave search by words as it is: the status tells what is wrong with them. */
function chosenBy(settings: EmbedderSettings): { embedder?: Embedder | undefined; problem?: Failure } {
  try {
    return { embedder: chooseEmbedder(settings) };
  } catch (thrown) {
    return { problem: asFailure(thrown) };
  }
}
