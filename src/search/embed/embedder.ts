/** An embedder turns texts into vectors of length one: near in direction when near in meaning. */

export type EmbedOptions = { readonly signal?: AbortSignal | undefined };

export type Embedder = {
  /** Vectors of two names are never compared: whatever changes them is part of the name. */
  readonly name: string;
  /** What runs it, for people. */
  readonly engine: string;
  /** How many texts it likes to be given at a time. */
  readonly batch: number;
  /** One vector a text, in the same order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** The vector of a question that someone waits for: it does not queue behind texts. */
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  close(): Promise<void>;
};
