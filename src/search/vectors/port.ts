/** Search by meaning, as tools see it: the chunks whose vectors are nearest to a text or to other chunks. */
import type { Sql } from '../../storage/sql.js';

/** A chunk's id, and the cosine of its vector and what was asked for. */
export type VectorHit = { readonly chunk: number; readonly score: number };

export type Nearest = {
  /** Only chunks of these documents. Default: all. */
  readonly documents?: ReadonlySet<number> | undefined;
  readonly limit: number;
};

export type Coverage = { readonly chunks: number; readonly embedded: number };

export type VectorPort = {
  /** The chunks nearest in meaning to a text, best first. Empty when there is no embedder, or no vector yet. */
  nearest(sql: Sql, text: string, want: Nearest): Promise<VectorHit[]>;
  /** The chunks nearest to the middle of chunks that are stored, without these themselves. Embeds nothing. */
  nearestTo(sql: Sql, chunks: readonly number[], want: Nearest): Promise<VectorHit[]>;
  /** How many chunks there are in these documents, and how many have a vector of the current embedder. */
  coverage(sql: Sql, documents?: ReadonlySet<number>): Promise<Coverage>;
};
